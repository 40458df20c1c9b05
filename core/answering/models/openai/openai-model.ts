import type { ChatModel, ChatRequest, ModelPiece, ToolCall } from '../chat-model.ts';
import { fieldOf } from '../field-of.ts';
import { type ModelChoice, nameOf } from '../model-choice.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import { completionRequest } from './completion-request.ts';
import { EventReader } from './event-reader.ts';
import { postJson } from './post-json.ts';
import { readChunk, readCompletion } from './read-completion.ts';

const PATH = '/chat/completions';
const END = '[DONE]';

/**
 * A model of OpenAI's, or of another server that speaks its chat completions. Read by ourselves, as most installations
 * have one and its library, with LangChain's around it, takes several times as long: 1.2 ms of processor a streamed answer of
 * twenty tokens.
 */
export function openaiModel(choice: ModelChoice, settings: ProviderSettings): ChatModel {
  const { model } = choice;
  return {
    name: nameOf(choice),
    write: (request) => (request.streamed ? inPieces : inOnePiece)(model, settings, request),
  };
}

async function* inOnePiece(
  model: string,
  settings: ProviderSettings,
  { signal, ...request }: ChatRequest,
): AsyncGenerator<ModelPiece> {
  const body = await postJson(settings, { path: PATH, body: completionRequest(model, request), signal });
  yield readCompletion(await body.json());
}

/** What comes at once is one piece, so that a process with very many streams makes larger steps instead of falling behind. */
async function* inPieces(
  model: string,
  settings: ProviderSettings,
  { signal, ...request }: ChatRequest,
): AsyncGenerator<ModelPiece> {
  const body = await postJson(settings, { path: PATH, body: completionRequest(model, request), signal });
  const reader = new EventReader();
  let used = 0;
  for await (const bytes of body) {
    let words = '';
    const calls: ToolCall[] = [];
    for (const data of reader.push(bytes)) {
      if (data === END) continue;
      const { text, toolCalls, tokensUsed } = readChunk(parsed(data));
      used = tokensUsed ?? used;
      words += text;
      calls.push(...toolCalls);
    }
    if (words !== '' || calls.length > 0) yield { text: words, tokensUsed: 0, toolCalls: calls };
  }
  yield { text: '', tokensUsed: used };
}

/** Some servers tell of a fault in the middle of a stream that began well. */
function parsed(data: string): unknown {
  const chunk: unknown = JSON.parse(data);
  const error = fieldOf(chunk, 'error');
  if (error == null) return chunk;
  throw new TypeError(
    `the provider broke off: ${String(fieldOf(error, 'message') ?? JSON.stringify(error))}`,
  );
}
