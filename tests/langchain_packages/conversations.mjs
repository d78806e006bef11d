// Messages of every kind as @langchain/core builds them, from which the fixtures and the tests with real objects are made.
import {
  AIMessage, AIMessageChunk, ChatMessage, FunctionMessage, HumanMessage, HumanMessageChunk, RemoveMessage, SystemMessage,
  ToolMessage, ToolMessageChunk,
} from "@langchain/core/messages";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const call = (id, name, args) => ({ id, name, args, type: "tool_call" });
const kept = (id, name, text) => ({ id, type: "function", function: { name, arguments: text } });

const answerChunks = [
  new AIMessageChunk({ content: "Let ", id: "m" }),
  new AIMessageChunk({
    content: "me",
    tool_call_chunks: [{ name: "get_weather", args: '{"ci', id: "call_s", index: 0, type: "tool_call_chunk" }],
  }),
  new AIMessageChunk({
    content: "",
    tool_call_chunks: [{ args: 'ty": "Paris"}', index: 0, type: "tool_call_chunk" }],
    usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  }),
];

export const conversations = {
  plain: [new HumanMessage("Hi"), new AIMessage("Hello!")],
  ids_names_usage: [
    new SystemMessage({ content: "Be brief.", id: "sys-1" }),
    new HumanMessage({ content: "2+2?", name: "alice", id: "h-1" }),
    new AIMessage({
      content: "4", name: "bot", id: "run-0198-0",
      usage_metadata: {
        input_tokens: 12, output_tokens: 3, total_tokens: 15,
        input_token_details: { cache_read: 4, cache_creation: 2 }, output_token_details: { reasoning: 1 },
      },
      response_metadata: {
        tokenUsage: { promptTokens: 12, completionTokens: 3, totalTokens: 15 }, finish_reason: "stop", model_name: "gpt-x",
      },
    }),
  ],
  one_tool: [
    new HumanMessage("Weather in Paris?"),
    new AIMessage({ content: "", tool_calls: [call("call_1", "get_weather", { city: "Paris" })] }),
    new ToolMessage({ content: "18C", tool_call_id: "call_1", name: "get_weather" }),
    new AIMessage("18C in Paris."),
  ],
  parallel_error_artifact: [
    new HumanMessage("Compare"),
    new AIMessage({
      content: [{ type: "text", text: "Checking." }],
      tool_calls: [call("call_a", "get_weather", { city: "Paris" }), call("call_b", "get_weather", { city: "Rome" })],
    }),
    new ToolMessage({
      content: "18C", tool_call_id: "call_a", name: "get_weather", artifact: { raw: 1 }, status: "success", metadata: { ms: 5 },
    }),
    new ToolMessage({ content: "timeout", tool_call_id: "call_b", name: "get_weather", status: "error" }),
    new AIMessage("done"),
  ],
  invalid_tool_call: [
    new HumanMessage("search"),
    new AIMessage({
      content: "", tool_calls: [],
      invalid_tool_calls: [
        { name: "search", args: '{"q": "x', id: "call_bad", error: "Malformed args.", type: "invalid_tool_call" },
      ],
    }),
  ],
  openai_additional_kwargs: [
    new HumanMessage("w?"),
    new AIMessage({
      content: "",
      additional_kwargs: {
        tool_calls: [kept("call_9", "get_weather", '{"city": "Oslo"}'), kept("call_bad", "f", "{bad")],
      },
    }),
    new ToolMessage({ content: "3C", tool_call_id: "call_9" }),
  ],
  anthropic_blocks: [
    new HumanMessage({
      content: [
        { type: "text", text: "look" }, { type: "image_url", image_url: { url: "data:image/png;base64," + PNG } },
      ],
    }),
    new AIMessage({
      content: [
        { type: "thinking", thinking: "px", signature: "c2ln" }, { type: "text", text: "zoom" },
        { type: "tool_use", id: "toolu_1", name: "zoom", input: { x: 1 } },
      ],
      tool_calls: [call("toolu_1", "zoom", { x: 1 })],
    }),
    new ToolMessage({ content: [{ type: "text", text: "red" }], tool_call_id: "toolu_1" }),
  ],
  standard_blocks: [
    new HumanMessage({ contentBlocks: [{ type: "text", text: "look" }, { type: "image", mimeType: "image/png", data: PNG }] }),
    new AIMessage({
      contentBlocks: [
        { type: "reasoning", reasoning: "hm" }, { type: "text", text: "A pixel." },
        { type: "tool_call", id: "call_v1", name: "zoom", args: { x: 1 } },
        { type: "server_tool_call", id: "ws_1", name: "web_search", args: { query: "q" } },
        { type: "server_tool_call_result", toolCallId: "ws_1", status: "success", output: ["r"] },
        { type: "non_standard", value: { type: "vendor_x" } },
      ],
    }),
    new ToolMessage({
      contentBlocks: [{ type: "text-plain", mimeType: "text/plain", text: "zoomed" }], tool_call_id: "call_v1",
    }),
  ],
  function_chat_developer: [
    new SystemMessage({ content: "dev", additional_kwargs: { __openai_role__: "developer" } }),
    new HumanMessage("f"),
    new AIMessage({ content: "", additional_kwargs: { function_call: { name: "f", arguments: "{}" } } }),
    new FunctionMessage({ content: "1", name: "f" }),
    new ChatMessage({ content: "c", role: "critic" }),
  ],
  removals: [
    new HumanMessage({ content: "a", id: "m1" }), new RemoveMessage({ id: "m1" }), new RemoveMessage({ id: "__remove_all__" }),
  ],
  chunks: [...answerChunks, new HumanMessageChunk("h"), new ToolMessageChunk({ content: "t", tool_call_id: "call_s" })],
  chunks_merged: [answerChunks.reduce((total, chunk) => total.concat(chunk))],
};
