"""What each model takes in the settings of a body: by hand, from the providers' pages and measured reports."""

from typing import Any

from test_settings import GI, OC, TOOL, USER, A, B, G, L, M, R

Json = dict[str, Any]
OLD = "anthropic:2023-06-01"
SCALE = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
PLACES = {
    OC: "reasoning_effort",
    R: "reasoning.effort",
    A: "output_config.effort",
    G: "generationConfig.thinkingConfig.thinkingLevel",
    GI: "generation_config.thinking_level",
    B: "outputConfig.effort",
    M: "reasoning_effort",
    L: "think",
}
# Words that no model of a wire has: nobody knows that they are wrong.
UNKNOWN = {A: "none minimal", B: "none minimal", L: "none minimal xhigh", G: "none max", GI: "none max"}
ON_CONVERSE = "additionalModelRequestFields.reasoning.effort"


# Targets with their models, the words for effort that these have, and the place if it is another than the wire's.
WORDS: list[tuple[tuple[Any, ...], str, str, str]] = [
    ((OC, R), "o1 o3-mini o4-mini-2025-04-16 openai/o3", "low medium high", ""),
    ((OC, R), "gpt-5 gpt-5-mini gpt-5-nano-2025-08-07 gpt-5-pro", "minimal low medium high", ""),
    ((OC, R), "gpt-5.1 gpt-5.1-2025-11-13", "none low medium high", ""),
    ((OC, R), "gpt-5.2 gpt-5.3-codex gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.5", "none low medium high xhigh", ""),
    ((OC, R), "gpt-5.6 gpt-5.6-sol gpt-5.6-terra openai/gpt-5.6-luna", "none low medium high xhigh", ""),
    ((OC, R), "gpt-5.2-pro gpt-5.4-pro", "low medium high xhigh", ""),
    ((OC, R), "gpt-5.5-pro", "medium high xhigh", ""),
    ((OC, R), "gpt-6-sol gpt-6-luna gpt-6.1-terra", "none low medium high xhigh max", ""),
    ((OC, R), "gpt-6-astra gpt-6-rosalind gpt-6.1-sol", "low medium high xhigh max", ""),
    ((OC, R), "chat-latest", "medium", ""),
    ((OC, R, "openai:compatible", "openai:local", "openai:groq"), "gpt-oss openai/gpt-oss-120b", "low medium high", ""),
    ((A, OLD, B), "claude-opus-4-6 us.anthropic.claude-sonnet-4-6-v1:0", "low medium high max", ""),
    ((A, OLD, B), "claude-fable-5 claude-fable-5-1 claude-mythos-preview", "low medium high xhigh max", ""),
    ((A, OLD, B), "claude-sonnet-5-5 anthropic.claude-opus-5-5-v1:0", "low medium high xhigh max", ""),
    ((G, GI), "gemini-3-pro gemini-3-pro-image models/gemini-3-pro-preview", "low high", ""),
    ((G, GI), "gemini-3.1-pro gemini-3.7-flash gemini-3.8-flash gemini-4-argon gemini-3.9", "low medium high", ""),
    ((G, GI), "gemini-3-flash gemini-3.1-flash-lite gemini-3.5-flash gemini-3.6-flash", "minimal low medium high", ""),
    ((G, GI), "gemini-3.1-flash-image gemini-3.1-flash-lite-image", "minimal high", ""),
    ((G, GI), "gemini-4-hydrogen", "low medium high xhigh", ""),
    (("openai:gemini",), "gemini-3-pro", "low high", ""),
    (("openai:gemini",), "gemini-3.1-pro gemini-4-argon gemini-2.5-pro", "low medium high", ""),
    (("openai:gemini",), "gemini-3.5-flash", "minimal low medium high", ""),
    (("openai:gemini",), "gemini-2.5-flash gemini-2.5-flash-lite", "none low medium high", ""),
    (("openai:xai",), "grok-3-mini grok-4.3", "none low medium high", ""),
    (("openai:xai",), "grok-4.6", "none low medium high xhigh", ""),
    (("openai:deepseek",), "deepseek-v4-pro", "low medium high xhigh max", ""),
    (("openai:kimi",), "kimi-k3 kimi-k3.1", "low high max", ""),
    (("openai:glm",), "glm-5.3", "low high max", ""),
    (("openai:glm",), "glm-5", "none minimal low medium high xhigh max", ""),
    (("openai:cerebras",), "qwen-3-coder", "none low medium high", ""),
    (("openai:fireworks",), "accounts/fireworks/models/glm-5", "none low medium high", ""),
    (("openai:fireworks",), "accounts/fireworks/models/gpt-oss-120b minimax-m2", "low medium high", ""),
    (("openai:openrouter",), "openai/gpt-5.1 x-ai/grok-4", "none minimal low medium high xhigh max", ""),
    (("openai:perplexity",), "sonar", "minimal low medium high", ""),
    ((M,), "mistral-medium-3-5 mistral-small-2603 devstral-2", "none high", ""),
    ((M,), "glm-5-2", "none minimal low medium high xhigh max", ""),
    ((M,), "glm-5-3", "low high max", ""),
    ((L,), "gpt-oss:20b", "low medium high", ""),
    ((B,), "openai.gpt-5.6-sol global.openai.gpt-6-sol", "none low medium high xhigh max", ON_CONVERSE),
    ((B,), "openai.gpt-6-astra", "low medium high xhigh max", ON_CONVERSE),
    ((B,), "openai.gpt-oss-120b-1:0", "low medium high", "additionalModelRequestFields.reasoning_effort"),
    ((B,), "us.amazon.nova-2-lite-v1:0", "low medium high",
     "additionalModelRequestFields.reasoningConfig.maxReasoningEffort"),
]  # fmt: skip
# Of these, `none` is another key.
SWITCHES = {
    (A, "4-6"): "thinking.type",
    (OLD, "4-6"): "thinking.type",
    (B, "4-6"): "additionalModelRequestFields.thinking.type",
    (B, "nova"): "additionalModelRequestFields.reasoningConfig.type",
    ("openai:deepseek", "v4"): "thinking.type",
    ("openai:kimi", "k3"): "thinking.type",
}
FORCED: list[Any] = ["required", {"type": "function", "function": {"name": "f"}}]


def asked(**said: Any) -> Json:
    return {"model": "m", "messages": [USER], "tools": [TOOL], **said}


# A request, and what the target's model gets: the values at places, and what is told of which setting.
CASES: list[tuple[Any, str, Json, Json, Json]] = [
    # The length has room for the thinking, at most the model's own limit.
    (A, "claude-sonnet-4-5", {"reasoning_effort": "high"},
     {"max_tokens": 24576 + 16384, "thinking.budget_tokens": 24576}, {"$.reasoning_effort": "restated"}),
    (A, "claude-opus-4-1", {"reasoning_effort": "max"},
     {"max_tokens": 32000, "thinking.budget_tokens": 31999}, {"$.reasoning_effort": "restated"}),
    (A, "claude-sonnet-4-5", {"reasoning_effort": "high", "max_tokens": 9000},
     {"max_tokens": 9000, "thinking.budget_tokens": 8999}, {"$.reasoning_effort": "restated"}),
    (A, "claude-opus-4-7", {"reasoning_effort": "high"}, {"max_tokens": 16384, "thinking.type": "adaptive"}, {}),
    # `none`: where the model can be told, and where it always thinks.
    (A, "claude-opus-5", {"reasoning_effort": "none"}, {"thinking.type": "disabled", "output_config": None}, {}),
    (B, "claude-haiku-5-5", {"reasoning_effort": "none"},
     {"additionalModelRequestFields.thinking.type": "disabled"}, {}),
    (A, "claude-opus-5-5", {"reasoning_effort": "none"},
     {"thinking": None, "output_config.effort": "low"}, {"$.reasoning_effort": "lost"}),
    (B, "us.anthropic.claude-opus-5-5-v1:0", {"reasoning_effort": "none"},
     {"additionalModelRequestFields": None, "outputConfig.effort": "low"}, {"$.reasoning_effort": "lost"}),
    (G, "gemini-2.5-flash", {"reasoning_effort": "none"}, {"generationConfig.thinkingConfig.thinkingBudget": 0}, {}),
    ("openai:kimi", "kimi-k2.6", {"reasoning_effort": "none"}, {"thinking.type": "disabled", "reasoning_effort": None},
     {"$.reasoning_effort": "restated"}),
    ("openai:kimi", "kimi-k2.7-code", {"reasoning_effort": "none"}, {"thinking": None, "reasoning_effort": None},
     {"$.reasoning_effort": "lost"}),
    ("openai:minimax", "MiniMax-M3", {"reasoning_effort": "none"}, {"thinking.type": "disabled"},
     {"$.reasoning_effort": "restated"}),
    ("openai:minimax", "MiniMax-M2", {"reasoning_effort": "low"}, {"thinking": None, "reasoning_effort": None},
     {"$.reasoning_effort": "lost"}),
    ("openai:qwen", "qwen3-max", {"reasoning_effort": "low"},
     {"enable_thinking": True, "thinking_budget": 1024, "reasoning_effort": None}, {"$.reasoning_effort": "restated"}),
    ("openai:qwen", "qwen3-max", {"reasoning_effort": "none"}, {"enable_thinking": False, "thinking_budget": None},
     {"$.reasoning_effort": "restated"}),
    ("openai:groq", "qwen/qwen3-32b", {"reasoning_effort": "low"}, {"reasoning_effort": "default"},
     {"$.reasoning_effort": "restated"}),
    ("openai:groq", "qwen/qwen3-32b", {"reasoning_effort": "none"}, {"reasoning_effort": "none"}, {}),
    ("openai:xai", "grok-4-fast", {"reasoning_effort": "low"}, {"reasoning_effort": None},
     {"$.reasoning_effort": "lost"}),
    (OC, "gpt-5.2-chat-latest", {"reasoning_effort": "low"}, {"reasoning_effort": None},
     {"$.reasoning_effort": "lost"}),
    (M, "magistral-medium", {"reasoning_effort": "high"}, {"prompt_mode": "reasoning", "reasoning_effort": None},
     {"$.reasoning_effort": "restated"}),
    (L, "qwen3", {"reasoning_effort": "max"}, {"think": "max"}, {}),
    (L, "gpt-oss:20b", {"reasoning_effort": "none"}, {"think": "low"}, {"$.reasoning_effort": "lost"}),
    # Tools and thinking in Chat Completions.
    *[(OC, model, asked(reasoning_effort="high"), {"reasoning_effort": "none"}, {"$.reasoning_effort": "lost"})
      for model in ("gpt-5.4", "gpt-5.5-2026-04-23", "openai/gpt-5.6-terra")],
    (OC, "gpt-5.2", asked(reasoning_effort="high"), {"reasoning_effort": "high"}, {}),
    (OC, "gpt-5.6", asked(reasoning_effort="none"), {"reasoning_effort": "none"}, {}),
    (R, "gpt-5.6", asked(reasoning_effort="high"), {"reasoning.effort": "high"}, {}),
    (OC, "gpt-5.6", {"reasoning_effort": "high"}, {"reasoning_effort": "high"}, {}),
    # A forced call.
    *[(A, model, asked(tool_choice=choice), {"tool_choice": None}, {"$.tool_choice": "lost"})
      for model in ("claude-opus-5-5", "claude-sonnet-5-5-20260901", "claude-fable-5-1", "claude-mythos-5-1")
      for choice in FORCED],
    (B, "us.anthropic.claude-opus-5-5-v1:0", asked(tool_choice="required"), {"toolConfig.toolChoice": None},
     {"$.tool_choice": "lost"}),
    (A, "claude-opus-5", asked(tool_choice="required"), {"tool_choice.type": "any"}, {}),
    (A, "claude-fable-5", asked(tool_choice="required"), {"tool_choice.type": "any"}, {}),
    *[(A, "claude-sonnet-4-5", asked(tool_choice=choice, reasoning_effort="high"),
       {"tool_choice.type": kind, "thinking": None, "max_tokens": 16384}, {"$.reasoning_effort": "lost"})
      for choice, kind in zip(FORCED, ("any", "tool"), strict=True)],
    (B, "anthropic.claude-sonnet-4-5", asked(tool_choice="required", reasoning_effort="high"),
     {"toolConfig.toolChoice": {"any": {}}, "additionalModelRequestFields": None}, {"$.reasoning_effort": "lost"}),
    (A, "claude-sonnet-4-5", asked(tool_choice="auto", reasoning_effort="low"), {"thinking.type": "enabled"},
     {"$.reasoning_effort": "restated"}),
    ("openai:deepseek", "deepseek-v4-pro", asked(tool_choice="required"), {"tool_choice": None},
     {"$.tool_choice": "lost"}),
    ("openai:kimi", "kimi-k2.6", asked(tool_choice="required"), {"tool_choice": None}, {"$.tool_choice": "lost"}),
    ("openai:kimi", "kimi-k2.6", asked(tool_choice="required", reasoning_effort="none"), {"tool_choice": "required"},
     {"$.reasoning_effort": "restated"}),
    ("openai:xai", "grok-4.20-multi-agent", asked(tool_choice="auto"), {"tool_choice": None},
     {"$.tool_choice": "lost"}),
    (R, "o3-deep-research", asked(tool_choice="auto"), {"tool_choice": None}, {"$.tool_choice": "lost"}),
    (OC, "gpt-5-chat", asked(tool_choice="required"), {"tool_choice": None}, {"$.tool_choice": "lost"}),
    # The format of the reply beside tools, and without a schema.
    *[(target, model, asked(response_format={"type": "json_object"}), {place: None}, {"$.response_format": "lost"})
      for target, model, place in (
          ("openai:groq", "llama-4", "response_format"), ("openai:cerebras", "glm-5", "response_format"),
          ("openai:fireworks", "glm-5", "response_format"), (G, "gemini-2.5-pro", "generationConfig"),
          ("gemini:2", "m", "generationConfig"), ("openai:gemini", "gemini-2.5-flash", "response_format"))],
    (G, "gemini-3-pro", asked(response_format={"type": "json_object"}),
     {"generationConfig.responseMimeType": "application/json"}, {}),
    (G, "gemini-2.5-pro", {"response_format": {"type": "json_object"}},
     {"generationConfig.responseMimeType": "application/json"}, {}),
    *[(target, "m", {"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {}}}},
       {"response_format": {"type": "json_object"}}, {"$.response_format": "lost"})
      for target in ("openai:deepseek", "openai:qwen")],
    # The key of the length.
    *[(f"openai:{row}", "m", {"max_completion_tokens": 50}, {"max_tokens": 50, "max_completion_tokens": None},
       {"$.max_completion_tokens": "restated"})
      for row in ("deepseek", "kimi", "glm", "minimax", "qwen", "local", "perplexity")],
    # Sampling.
    *[(OLD, model, {"temperature": 0.2, "top_p": 0.5}, {"temperature": None, "top_p": None},
       {"$.temperature": "lost", "$.top_p": "lost"})
      for model in ("claude-opus-4-7", "claude-opus-4-8", "claude-sonnet-5", "claude-haiku-5-5", "claude-fable-5")],
    *[(B, f"us.anthropic.{model}-v1:0", {"temperature": 0.2}, {"inferenceConfig": None}, {"$.temperature": "lost"})
      for model in ("claude-opus-4-7", "claude-opus-4-8", "claude-fable-5")],
    (B, "anthropic.claude-opus-4-6", {"temperature": 0.2}, {"inferenceConfig.temperature": 0.2}, {}),
    *[(target, model, {"temperature": 0.2}, {"generationConfig": None, "generation_config": None, "temperature": None},
       {"$.temperature": "lost"})
      for target in (G, GI, "openai:gemini")
      for model in ("gemini-3.5-flash-lite", "gemini-3.6-flash", "gemini-3.7-flash", "gemini-3.8-flash")],
    ("openai:kimi", "kimi-k2.6", {"temperature": 0.2}, {"temperature": 1}, {"$.temperature": "restated"}),
    ("openai:kimi", "kimi-k2.6", {"temperature": 0.2, "reasoning_effort": "none"},
     {"temperature": 0.6, "thinking.type": "disabled"},
     {"$.temperature": "restated", "$.reasoning_effort": "restated"}),
    ("openai:kimi", "kimi-k3", {"temperature": 0.2}, {"temperature": 0.2}, {}),
    ("openai:xai", "grok-4.3", {"stop": "x", "presence_penalty": 0.1, "frequency_penalty": 0.1},
     {"stop": None, "presence_penalty": None, "frequency_penalty": None},
     {"$.stop": "lost", "$.presence_penalty": "lost", "$.frequency_penalty": "lost"}),
    ("openai:xai", "grok-4-fast-non-reasoning", {"stop": "x"}, {"stop": "x"}, {}),
    ("openai:qwen", "qwen3-max", {"frequency_penalty": 0.1}, {"frequency_penalty": None},
     {"$.frequency_penalty": "lost"}),
    # A model that does not rest although it was told to does not take what a resting one does.
    (OC, "gpt-5", {"reasoning_effort": "none", "temperature": 0.2},
     {"reasoning_effort": "minimal", "temperature": None},
     {"$.reasoning_effort": "lost", "$.temperature": "lost"}),
    (OC, "gpt-5.1", {"reasoning_effort": "none", "temperature": 0.2}, {"reasoning_effort": "none", "temperature": 0.2},
     {}),
    # Keys that servers refuse.
    *[(f"openai:{row}", "m", {key: value}, {key: None}, {f"$.{key}": "lost"})
      for row, keys in (("groq", "store verbosity prompt_cache_key metadata"), ("cerebras", "store verbosity metadata"),
                        ("fireworks", "store verbosity"),
                        ("gemini", "store verbosity prompt_cache_key safety_identifier metadata"))
      for key in keys.split()
      for value in [{"store": True, "verbosity": "low", "metadata": {"a": "b"}}.get(key, "x")]],
]  # fmt: skip

# A body in the target's own dialect, and the paths that its model refuses.
OWN: list[tuple[Any, Json, list[str], Json]] = [
    (A, {"model": "claude-opus-4-7", "max_tokens": 9000, "thinking": {"type": "enabled", "budget_tokens": 2000}},
     ["$.thinking.budget_tokens"], {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}}),
    (OLD, {"model": "claude-sonnet-5", "max_tokens": 9000, "thinking": {"type": "enabled", "budget_tokens": 9000}},
     ["$.thinking.budget_tokens"], {"thinking": {"type": "adaptive"}, "output_config": {"effort": "medium"}}),
    (B, {"modelId": "claude-fable-5",
         "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 2000}, "x": 1}},
     ["$.additionalModelRequestFields.thinking.budget_tokens"],
     {"additionalModelRequestFields": {"x": 1, "thinking": {"type": "adaptive"}}, "outputConfig": {"effort": "low"}}),
    (A, {"model": "claude-opus-5-5", "max_tokens": 9000, "thinking": {"type": "disabled"}},
     ["$.thinking.type"], {"thinking": None, "output_config": {"effort": "low"}}),
    (OLD, {"model": "claude-opus-4-8", "max_tokens": 9, "temperature": 0.2}, ["$.temperature"], {"temperature": None}),
    (B, {"modelId": "claude-opus-4-8", "inferenceConfig": {"temperature": 0.2, "maxTokens": 9}},
     ["$.inferenceConfig.temperature"], {"inferenceConfig": {"maxTokens": 9}}),
    (A, {"model": "claude-sonnet-4-5", "max_tokens": 9000, "thinking": {"type": "enabled", "budget_tokens": 2000},
         "tool_choice": {"type": "any"}},
     ["$.thinking.budget_tokens"], {"thinking": None, "tool_choice": {"type": "any"}}),
    (A, {"model": "claude-opus-5-5", "max_tokens": 9, "tool_choice": {"type": "any"}}, ["$.tool_choice"],
     {"tool_choice": None}),
    (A, {"model": "claude-opus-4-6", "max_tokens": 9, "output_config": {"effort": "xhigh"}},
     ["$.output_config.effort"], {"output_config": {"effort": "high"}}),
    (OC, {"model": "gpt-5.1", "reasoning_effort": "minimal"}, ["$.reasoning_effort"], {"reasoning_effort": "none"}),
    (OC, {"model": "gpt-5.6-terra", "reasoning_effort": "low"}, ["$.reasoning_effort"], {"reasoning_effort": "none"}),
    (G, {"model": "gemini-2.5-pro", "generation_config": {"thinking_config": {"thinking_level": "LOW"}, "topK": 3}},
     ["$.generation_config.thinking_config.thinking_level"],
     {"generation_config": {"topK": 3, "thinking_config": {"thinkingBudget": 1024}}}),
    (G, {"model": "gemini-3-pro", "generation_config": {"thinking_config": {"thinking_level": "MEDIUM"}}},
     ["$.generation_config.thinking_config.thinking_level"],
     {"generation_config": {"thinking_config": {"thinking_level": "LOW"}}}),
    (GI, {"model": "gemini-3-pro", "generation_config": {"thinking_level": "medium", "tool_choice": "any", "x": 1}},
     ["$.generation_config.thinking_level"],
     {"generation_config": {"tool_choice": "any", "thinking_level": "low", "x": 1}}),
    ("openai:deepseek", {"model": "deepseek-v4-pro", "reasoning_effort": "none", "max_completion_tokens": 9},
     ["$.max_completion_tokens", "$.reasoning_effort"],
     {"thinking": {"type": "disabled"}, "max_tokens": 9, "reasoning_effort": None, "max_completion_tokens": None}),
    ("openai:groq", {"model": "qwen/qwen3-32b", "response_format": {"type": "json_object"}, "x": 1, "user": "u"},
     ["$.response_format"], {"response_format": None, "x": 1, "user": "u"}),
    ("openai:groq", {"safety_identifier": "u", "metadata": {}}, ["$.metadata", "$.safety_identifier"],
     {"user": "u", "safety_identifier": None, "metadata": None}),
    ("openai:qwen", {"model": "qwen3", "response_format": {"type": "json_schema", "json_schema": {"schema": {}}}},
     ["$.response_format"], {"response_format": {"type": "json_object"}}),
    (M, {"model": "mistral-medium-3-5", "reasoning_effort": "medium"}, ["$.reasoning_effort"],
     {"reasoning_effort": "high"}),
    (L, {"model": "gpt-oss:20b", "think": False}, ["$.think"], {"think": "low"}),
    ("openai:kimi+effort=low,medium,high", {"model": "kimi-k2.6", "reasoning_effort": "max"},
     ["$.reasoning_effort"], {"reasoning_effort": "high"}),
]  # fmt: skip
