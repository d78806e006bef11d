// Sequences of chunks, and what @langchain/core's `concat` makes of each; one line of JSON for each.
// Usage: node make_chunks.mjs COUNT
import {
  AIMessageChunk, ChatMessageChunk, FunctionMessageChunk, HumanMessageChunk, SystemMessageChunk, ToolMessageChunk,
} from "@langchain/core/messages";

let state = 20261129;
const below = (limit) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff; // the generator of the C standard's example
  return (state >> 12) % limit;
};
const pick = (...choices) => choices[below(choices.length)];
const maybe = (fields) => Object.fromEntries(Object.entries(fields).filter(() => below(2)));
const many = (limit, make) => Array.from({ length: below(limit + 1) }, make);

const text = () => pick("", "a", "b ", "é", '"');
const block = () =>
  pick(
    () => ({ type: "text", ...maybe({ text: text(), index: below(2), id: pick("b1", "b2") }) }),
    () => ({ type: "text_delta", text: text(), index: below(2) }),
    () => ({ type: "reasoning", ...maybe({ reasoning: text(), index: pick(0, 1, "lc_1"), signature: text() }) }),
    () => ({ type: "image", source_type: "url", url: "https://example.com/a.png" }),
    () => ({ type: "tool_call_chunk", ...maybe({ id: "c1", args: text(), index: below(2) }) }),
  )();
const content = () => pick(text, text, () => many(2, block))();
const extras = () =>
  maybe({
    reasoning_content: text(), refusal: pick(null, "no"), index: below(3), n: below(3), f: below(3) / 2, id: pick("x", "y", ""),
    name: pick("p", "q"), nested: maybe({ a: text(), list: many(2, () => maybe({ index: below(2), id: pick("i", "j"), text: text() })) }),
  });
const metadata = () =>
  maybe({
    model_name: pick("m", "n"), model_provider: pick("openai", "p"), finish_reason: pick(null, "stop"), output_version: "v0",
    created: below(9), tokens: below(4),
  });
const details = () => maybe({ audio: below(3), cache_read: below(3), reasoning: below(3) });
const usage = () => ({
  input_tokens: below(9), output_tokens: below(9), total_tokens: below(9),
  ...maybe({ input_token_details: details(), output_token_details: details() }),
});
const piece = () => ({
  type: "tool_call_chunk",
  ...maybe({
    name: pick("get", "_weather"), args: pick('{"city"', ': "Par', 'is"}', '"Oslo"}', "{}", "", "1", "{"), id: pick("c1", "c2", ""),
    index: below(2),
  }),
});
const usual = () =>
  maybe({ additional_kwargs: extras(), response_metadata: metadata(), id: pick("msg_1", "run-1"), name: pick("p", "q", "") });
const answer = () =>
  new AIMessageChunk({
    content: content(), ...usual(), ...maybe({ tool_call_chunks: many(2, piece), usage_metadata: usage() }),
  });
const result = () =>
  new ToolMessageChunk({
    content: content(), tool_call_id: "c1", ...usual(),
    ...maybe({ artifact: pick(extras, text, () => many(2, extras), () => below(2))(), status: pick("success", "error") }),
  });
const others = [
  result, result,
  () => new HumanMessageChunk({ content: content(), ...usual() }),
  () => new SystemMessageChunk({ content: content(), ...usual() }),
  () => new ChatMessageChunk({ content: content(), ...usual(), role: "critic" }),
  () => new FunctionMessageChunk({ content: content(), ...usual(), ...pick({}, { name: "get" }, { name: "get" }) }),
];

console.warn = () => {};
for (let made = 0; made < Number(process.argv[2]); ) {
  const make = below(2) ? answer : pick(...others);
  const chunks = Array.from({ length: 2 + below(4) }, make);
  const before = chunks.map((chunk) => JSON.stringify(chunk));
  try {
    const merged = chunks.reduce((total, chunk) => total.concat(chunk));
    console.log(`{"chunks":[${before.join(",")}],"merged":${JSON.stringify(merged)}}`);
    made += 1;
  } catch (error) {
    if (!/different type/.test(String(error))) throw error; // what the package refuses to add is no example
  }
}
