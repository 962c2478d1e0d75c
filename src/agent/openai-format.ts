import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import type { Message, ToolDefinition } from "./model.ts";

/** Our messages in the format of Chat Completions. */
export function toOpenAiMessages(messages: readonly Message[]): ChatCompletionMessageParam[] {
  return messages.map(toOpenAiMessage);
}

/** Our tools in the format of Chat Completions. */
export function toOpenAiTools(tools: readonly ToolDefinition[]): ChatCompletionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
}

function toOpenAiMessage(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
    case "assistant":
      return {
        role: "assistant",
        content: message.content === "" ? null : message.content,
        // An empty list is an error to OpenAI.
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map((call) => ({
            id: call.id,
            type: "function" as const,
            function: { name: allowedName(call.name), arguments: call.arguments },
          })),
        }),
      };
    default:
      return { role: message.role, content: message.content };
  }
}

/** A name as endpoints accept it in a conversation (OpenAI: 1 to 64 of these characters), whatever the model made up. */
function allowedName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, 64) || "unknown";
}
