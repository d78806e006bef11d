// Every JSON form of the messages in `conversations`, as @langchain/core writes them; one line of JSON for each.
import { mapChatMessagesToStoredMessages } from "@langchain/core/messages";
import { conversations } from "./conversations.mjs";

const spread = (message) => {
  const { lc_kwargs, lc_namespace, lc_serializable, lc_direct_tool_output, ...rest } = message;
  return { type: message.getType(), ...rest };
};

const forms = {
  lc: (messages) => messages,
  stored: mapChatMessagesToStoredMessages,
  spread: (messages) => messages.map(spread),
  raw_spread: (messages) => messages.map((message) => ({ ...message })),
  content_blocks: (messages) =>
    messages.map((message) => ({ type: message.getType(), contentBlocks: message.contentBlocks })),
};

for (const [name, messages] of Object.entries(conversations)) {
  for (const [form, write] of Object.entries(forms)) {
    console.log(JSON.stringify({ name, form, value: write(messages) }));
  }
}
