// Has @langchain/core read what it is given; input: one line of JSON for each {name, form, value}, form being `load`, `stored` or `shorthand`.
// Output: one line for each: the fields of its messages and what `JSON.stringify` makes of them, or the error.
// With `like` the fields are compared with those of the conversation of that name.
import { coerceMessageLikeToMessage, mapStoredMessagesToChatMessages } from "@langchain/core/messages";
import { load } from "@langchain/core/load";
import { createInterface } from "node:readline";
import { conversations } from "./conversations.mjs";

const read = {
  load: (value) => load(JSON.stringify(value)),
  stored: (value) => mapStoredMessagesToChatMessages(value),
  shorthand: (value) => value.map(coerceMessageLikeToMessage),
};

const fields = (message) => {
  const { lc_kwargs, lc_namespace, lc_serializable, lc_direct_tool_output, ...rest } = message;
  return { class: message.constructor.name, ...rest };
};
const plain = (value) => JSON.parse(JSON.stringify(value));

for await (const line of createInterface({ input: process.stdin })) {
  const { name, form, value, like } = JSON.parse(line);
  try {
    const messages = await read[form](value);
    const answer = { name, form, fields: plain(messages.map(fields)), written: plain(messages) };
    if (like !== undefined) answer.expected = plain(conversations[like].map(fields));
    console.log(JSON.stringify(answer));
  } catch (error) {
    console.log(JSON.stringify({ name, form, error: String(error) }));
  }
}
