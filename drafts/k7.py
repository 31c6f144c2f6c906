import turnwire as tw, json, base64
exec(open('/tmp/k6.py').read().split('TG=')[0])
SR={"type":"search_result","source":"https://e.x/a","title":"T","content":[{"type":"text","text":"P1"},{"type":"text","text":"P2"}]}
TG=["anthropic","bedrock","openai","openai-responses","gemini","gemini-interactions","mistral","cohere","ollama"]
show("search user",[{"role":"user","content":[SR,{"type":"text","text":"go"}]}]*1,TG,source="anthropic")
def sh(name,m,targets,source): 
    print("##",name)
    for t in targets:
        try:
            r=tw.prepare(m,t,source=source); p=r.payload; l=p if isinstance(p,list) else next((v for v in p.values() if isinstance(v,list)),p)
            print(' ',t,json.dumps(l)[-330:]); print('      ',[(c.code,str(c.path)) for c in r.receipt],[(l.kind,l.code,str(l.path)) for l in r.losses])
        except tw.TurnwireError as e: print(' ',t,'ERR',e)
AU=[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}}]}]
sh("search result tool",AU+[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[SR]}]}],TG,"anthropic")
for nm,src in {"text":{"type":"text","media_type":"text/plain","data":"hello"},"content":{"type":"content","content":[{"type":"text","text":"P1"},{"type":"text","text":"P2"}]},"csv":{"type":"base64","media_type":"text/csv","data":base64.b64encode(b"a,b").decode()}}.items():
    sh("doc "+nm,[{"role":"user","content":[{"type":"document","source":src,"title":"T_x","context":"C","citations":{"enabled":True}},{"type":"text","text":"go"}]}],TG,"anthropic")
sh("bedrock sr",[{"role":"user","content":[{"searchResult":{"source":"https://e.x/a","title":"T","content":[{"text":"P1"},{"text":"P2"}],"citations":{"enabled":True}}},{"text":"go"}]}],TG,"bedrock")
sh("bedrock doc",[{"role":"user","content":[{"document":{"name":"T","source":{"content":[{"text":"P1"}]},"context":"C","citations":{"enabled":True}}},{"text":"go"}]}],TG,"bedrock")
sh("bedrock md",[{"role":"user","content":[{"document":{"name":"T","format":"md","source":{"bytes":base64.b64encode(b"# hi").decode()}}},{"text":"go"}]}],TG,"bedrock")
sh("cit",[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"x","citations":[{"type":"char_location","cited_text":"c","document_index":0,"document_title":"T","start_char_index":0,"end_char_index":1}]}]},{"role":"user","content":"q"}],["anthropic","bedrock","openai"],"anthropic")
sh("cit b",[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"citationsContent":{"content":[{"text":"x"}],"citations":[{"title":"T","sourceContent":[{"text":"c"}],"location":{"documentChar":{"documentIndex":0,"start":0,"end":1}}}]}}]},{"role":"user","content":[{"text":"q"}]}],["anthropic","bedrock","openai"],"bedrock")
sh("redacted",[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"abc"},{"type":"text","text":"x"}]},{"role":"user","content":"q"}],["bedrock"],"anthropic")
