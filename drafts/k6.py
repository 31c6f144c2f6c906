import turnwire as tw, json
U={"role":"user","content":"go"}
F={"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}
T={"role":"tool","tool_call_id":"c1","content":"r"}
def show(name,m,targets,source="auto",**k):
    print("##",name)
    for t in targets:
        try:
            r=tw.prepare(m,t,source=source,**k)
            p=r.payload
            l=p if isinstance(p,list) else next((v for v in p.values() if isinstance(v,list)),p)
            print(' ',t,json.dumps(l[1:-1] if len(l)>2 else l)[:420]); print('      ',[(c.code,str(c.path)) for c in r.receipt],[(l.kind,l.code,str(l.path)) for l in r.losses])
        except tw.TurnwireError as e: print(' ',t,'ERR',e)
TG=["anthropic","bedrock","gemini","openai-responses","openai","openai:openrouter","openai:deepseek","mistral"]
A={"role":"assistant","content":"x"}
show("thinking_blocks",[U,{**A,"thinking_blocks":[{"type":"thinking","thinking":"t","signature":"U0lH"},{"type":"redacted_thinking","data":"ZA=="}],"reasoning_content":"t","tool_calls":[F]},T],TG,source="openai")
show("thinking_blocks auto",[U,{**A,"thinking_blocks":[{"type":"thinking","thinking":"t","signature":"U0lH"}],"tool_calls":[F]},T],["anthropic"])
show("extra_content",[U,{**A,"tool_calls":[{**F,"extra_content":{"google":{"thought_signature":"U0lH"}}}]},T],TG,source="openai")
show("psf",[U,{**A,"provider_specific_fields":{"thought_signatures":["U0lH"]},"tool_calls":[{**F,"provider_specific_fields":{"thought_signature":"U0lH"}}]},T],["gemini","openai"],source="openai")
show("id thought",[U,{**A,"tool_calls":[{**F,"id":"c1__thought__U0lH"}]},{**T,"tool_call_id":"c1__thought__U0lH"}],["gemini","openai","anthropic"],source="openai")
show("reasoning_items",[U,{**A,"reasoning_items":[{"type":"reasoning","id":"rs_1","encrypted_content":"ZQ==","summary":[]}]},U],["openai-responses","openai"],source="openai")
D=[{"type":"reasoning.text","text":"t","signature":"U0lH","format":"anthropic-claude-v1","index":0},{"type":"reasoning.encrypted","data":"ZA==","format":"anthropic-claude-v1","index":1}]
show("details anthropic",[U,{**A,"reasoning":"t","reasoning_details":D,"tool_calls":[F]},T],TG,source="openai:openrouter")
show("details openai",[U,{**A,"reasoning_details":[{"type":"reasoning.summary","summary":"s","id":"rs_1","format":"openai-responses-v1","index":0},{"type":"reasoning.encrypted","data":"ZQ==","id":"rs_1","format":"openai-responses-v1","index":0}],"tool_calls":[F]},T],["openai-responses","openai:openrouter","anthropic"],source="openai:openrouter")
show("details gemini",[U,{**A,"reasoning_details":[{"type":"reasoning.encrypted","data":"U0lH","id":"c1","format":"google-gemini-v1","index":0}],"tool_calls":[F]},T],["gemini","openai:openrouter","anthropic"],source="openai:openrouter")
show("details empty",[U,{**A,"reasoning_details":[],"tool_calls":[F]},T],["openai:openrouter","anthropic"],source="openai:openrouter")
AT={"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"U0lH"},{"type":"text","text":"x"},{"type":"tool_use","id":"c1","name":"f","input":{}}]}
AR={"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}
show("anthropic out",[U,AT,AR],["openai:openrouter","openai:litellm","ai-sdk","ai-sdk-ui","openai:gemini","bedrock"],source="anthropic")
G=[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"U0lH"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"}}}]}]
show("gemini out",G,["openai:openrouter","openai:litellm","openai:gemini","ai-sdk","anthropic"],source="gemini")
R=[U,{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"s"}],"encrypted_content":"ZQ=="},{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"r"}]
show("responses out",R,["openai:openrouter","openai:litellm","ai-sdk","anthropic"],source="openai-responses")
print("== AI SDK")
MU={"role":"user","content":[{"type":"text","text":"go"}]}
MC={"type":"tool-call","toolCallId":"c1","toolName":"f","input":{}}
MT={"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"f","output":{"type":"text","value":"r"}}]}
show("sdk anthropic",[MU,{"role":"assistant","content":[{"type":"reasoning","text":"t","providerOptions":{"anthropic":{"signature":"U0lH"}}},{"type":"text","text":"x"},MC]},MT],TG[:6],source="ai-sdk")
show("sdk redacted",[MU,{"role":"assistant","content":[{"type":"reasoning","text":"","providerOptions":{"anthropic":{"redactedData":"ZA=="}}},MC]},MT],["anthropic","bedrock"],source="ai-sdk")
show("sdk google",[MU,{"role":"assistant","content":[{**MC,"providerOptions":{"google":{"thoughtSignature":"U0lH"}}}]},MT],["gemini","anthropic"],source="ai-sdk")
show("sdk openai",[MU,{"role":"assistant","content":[{"type":"reasoning","text":"s1","providerOptions":{"openai":{"itemId":"rs_1","reasoningEncryptedContent":None}}},{"type":"reasoning","text":"s2","providerOptions":{"openai":{"itemId":"rs_1","reasoningEncryptedContent":"ZQ=="}}},{**MC,"providerOptions":{"openai":{"itemId":"fc_1"}}}]},MT],["openai-responses","anthropic"],source="ai-sdk")
