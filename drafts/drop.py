import turnwire as tw, json
U={"role":"user","content":"go"}
def show(m,t,**k):
    r=tw.prepare(m,t,reasoning="drop",**k)
    print(t,json.dumps(r.payload)); print('  receipt',[(c.code,c.path) for c in r.receipt],'losses',[(l.code,l.path,l.kind) for l in r.losses], 'warnings', getattr(r.receipt,'warnings',None))
    try:
        c=tw.convert(m,t,t,reasoning="drop"); print('  same by convert', c.payload==r.payload, [(l.kind,l.code,l.path) for l in c.losses])
        if c.payload!=r.payload: print('   ',json.dumps(c.payload))
    except tw.TurnwireError as e: print('  convert', e)
    again=tw.prepare(r.payload,t,reasoning="drop",**k); print('  twice', again.payload==r.payload, [(c.code,c.path) for c in again.receipt], again.losses)
R={"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"}
show([U,R,{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}},{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"a","annotations":[]}]},{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"x"},{"type":"message","id":"msg_2","status":"completed","role":"assistant","content":[{"type":"output_text","text":"b","annotations":[]}]},U],"openai-responses")
show([U,R,{"type":"shell_call","id":"sh_1","call_id":"c1","status":"completed","action":{"commands":["ls"]}},{"type":"shell_call_output","call_id":"c1","output":[{"stdout":"","stderr":"","outcome":{"type":"exit","exit_code":0}}]},U],"openai-responses")
T={"type":"thinking","thinking":"t","signature":"c2ln"}
show({"thinking":{"type":"enabled","budget_tokens":1024},"messages":[U,{"role":"assistant","content":[T,{"type":"tool_use","id":"t1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"r"}]}]},"anthropic")
show([U,{"role":"assistant","content":[T]},U],"anthropic")
show([U,{"role":"assistant","content":[T,{"type":"text","text":"x"}]},U],"bedrock")
show([{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"text":"th","thought":True},{"functionCall":{"name":"f","args":{}},"thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"}}}]}],"gemini")
show([{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"text":"a","thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"text":"x"}]}],"gemini")
for t in ("openai:deepseek","openai:kimi","openai:hf","openai:qwen","openai"):
    try: show([U,{"role":"assistant","content":"a","reasoning_content":"hm"},U],t)
    except tw.TurnwireError as e: print(t,e)
show([U,{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text","text":"a"}]},U],"mistral")
show([{"role":"user","content":"go"},{"role":"assistant","content":"a","thinking":"t"},U],"ollama")
for t in ("ag-ui","ai-sdk","ai-sdk-ui","otel","gemini-interactions","cohere"):
    m=tw.convert([U,{"role":"assistant","content":"a","reasoning_content":"hm"},U],"openai",t).payload
    print(t, json.dumps(m)[:200])
show([{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"reasoning","text":"t","providerOptions":{"anthropic":{"signature":"s"}}},{"type":"text","text":"a"}]},{"role":"user","content":[{"type":"text","text":"go"}]}],"ai-sdk")
led=tw.Ledger("anthropic",reasoning="drop",model="claude-opus-5-5")
m=[U]; led.prepare(m); m=[U,{"role":"assistant","content":[T,{"type":"text","text":"x"}]},U]; r=led.prepare(m); print(r.payload, r.receipt.break_at, r.receipt)
led=tw.Ledger("anthropic",model="claude-opus-5-5"); m=[U]; led.prepare(m); m=[U,{"role":"assistant","content":[T,{"type":"text","text":"x"}]},U]; led.prepare(m)
led=tw.Ledger.load(led.state(),reasoning="drop",model="claude-opus-5-5"); m+=[{"role":"assistant","content":[{**T,"signature":"c2lnMg=="},{"type":"text","text":"y"}]},U]; r=led.prepare(m); print(r.payload,r.receipt.break_at, r.receipt)
m+=[{"role":"assistant","content":[{**T,"signature":"c2lnMw=="},{"type":"text","text":"y"}]},U]; r=led.prepare(m); print(r.receipt.break_at)
try: tw.prepare([U],"openai",thinking="keep")
except TypeError as e: print(e)
