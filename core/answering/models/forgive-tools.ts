import type { ChatModel, ChatRequest, ModelPiece } from './chat-model.ts';
import { explainFailure } from './explain-failure.ts';

/** A model that refuses requests with tools, as small ones do, is asked without them from then on. */
export function forgiveTools(model: ChatModel): ChatModel {
  let takesTools = true;
  async function* tryTools(request: ChatRequest, bare: ChatRequest): AsyncGenerator<ModelPiece> {
    let begun = false;
    try {
      for await (const piece of model.write(request)) {
        begun = true;
        yield piece;
      }
    } catch (error) {
      if (begun || request.signal.aborted || explainFailure(error).kind !== 'refused') throw error;
      for await (const piece of model.write(bare)) {
        takesTools = false;
        yield piece;
      }
    }
  }
  return {
    name: model.name,
    write(request) {
      const bare = { ...request, tools: undefined };
      return takesTools && (request.tools ?? []).length > 0 ? tryTools(request, bare) : model.write(bare);
    },
  };
}
