import type { ChatModel, ChatRequest, ModelPiece } from './chat-model.ts';

/** Thinking counts as output, so a model that thinks may write more tokens than an answer needs. */
export const THINKING_TOKENS = 8_192;

/** Models that think before they answer, by the last part of their name. */
const THINKERS =
  /^(?:o\d|gpt-(?:[5-9](?!.*chat)|oss)|deepseek-r|qwq|qwen-?3(?!.*(?:instruct|coder))|magistral|gemini-(?:2\.5|[3-9])|grok-(?:3-mini|4)|glm-(?:4\.[5-9]|[5-9])|minimax-m)|(?:^|[-_.:])(?:r1|think(?:ing)?|reason(?:er|ing)?)(?:$|[-_.:])/;
/**
 * Models whose chat template opens the thinking itself, so that their output holds only its end. The servers vLLM, LM
 * Studio and llama.cpp show it unless they are started with a parser for it.
 */
const UNOPENED = /^(?:deepseek-r|qwq)|(?:^|[-_.:])(?:r1|thinking)(?:$|[-_.:])/;
const REASONING_OF_OPENAI = /^(?:o\d|gpt-(?:[5-9](?!.*chat)|oss))/;

/** How a model thinks: at first guessed by its name, then learned from its output. */
export class Thinking {
  /** Whether the model is known to think. */
  thinks: boolean;
  /** Whether its output may begin inside its thoughts. Such an output is withheld until the thoughts end. */
  startsInside: boolean;
  /** Whether it accepts OpenAI's `reasoning_effort`. */
  readonly takesEffort: boolean;

  constructor(model: string) {
    const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
    this.thinks = THINKERS.test(name);
    this.startsInside = UNOPENED.test(name);
    this.takesEffort = REASONING_OF_OPENAI.test(name);
  }
}

/** Wraps a model so that its thoughts never leave it. They remain as pieces without text, which show that it works. */
export function withoutThoughts(model: ChatModel, thinking: Thinking): ChatModel {
  return {
    name: model.name,
    get thinks() {
      return thinking.thinks;
    },
    write: (request) => withhold(model, thinking, request),
  };
}

async function* withhold(
  model: ChatModel,
  thinking: Thinking,
  request: ChatRequest,
): AsyncGenerator<ModelPiece> {
  const { streamed } = request;
  // The second round is for a model whose thoughts used up the tokens of an answer. It then gets those of a thinking one.
  for (const _round of [1, 2]) {
    const knew = thinking.thinks;
    // A complete answer shows by itself where its thoughts end.
    const filter = new ThoughtFilter({ startsInside: streamed && thinking.startsInside });
    let isEmpty = true;
    for await (const piece of model.write(request)) {
      if (piece.reasoned === true) filter.separated();
      const text = filter.push(piece.text);
      thinking.thinks ||= filter.hasThought;
      isEmpty &&= text === '' && (piece.toolCalls ?? []).length === 0;
      yield text === piece.text ? piece : { ...piece, text };
    }
    const text = filter.end();
    if (text !== '') yield { text, tokensUsed: 0 };
    thinking.startsInside =
      filter.startedInside || (!streamed && !filter.isSeparate && thinking.startsInside);
    if (text !== '' || !isEmpty || knew || !filter.hasThought) return;
  }
}

const OPENING = /<(?:seed:)?(?:think(?:ing)?|thought|reasoning)>|\[THINK\]/i;
const CLOSING = /<\/(?:seed:)?(?:think(?:ing)?|thought|reasoning)>|\[\/THINK\]/i;
/** The longest tag, `</seed:thinking>`. */
const MAX_TAG_CHARS = 16;

/** Removes thoughts from a text that arrives in pieces. */
export class ThoughtFilter {
  /** Whether the model sent thoughts. */
  hasThought = false;
  /** Whether the provider keeps thoughts apart from the text. */
  isSeparate = false;
  /** Whether the text began inside thoughts, without an opening tag. */
  startedInside = false;
  #inside = false;
  /** Whether it is unknown if the text began inside thoughts; until then all of it is withheld. */
  #unsure: boolean;
  #trims = false;
  /** Text that is withheld and holds no tag. */
  #held = '';
  /** Text that may still become part of a tag. */
  #rest = '';

  constructor({ startsInside }: { readonly startsInside: boolean }) {
    this.#unsure = startsInside;
  }

  /** Tells that the provider sent thoughts apart from the text, so that the text does not begin inside them. */
  separated(): void {
    this.hasThought = true;
    this.isSeparate = true;
    this.#unsure = false;
  }

  /** Returns the part of the text so far that is no thought and was not returned yet. */
  push(piece: string): string {
    if (this.#isPlain && !piece.includes('<') && !piece.includes('[')) return piece;
    this.#rest += piece;
    let shown = '';
    for (;;) {
      const closing = CLOSING.exec(this.#rest);
      const opening = this.#inside ? null : OPENING.exec(this.#rest);
      if (opening !== null && (closing === null || opening.index < closing.index)) {
        shown += this.#release() + this.#rest.slice(0, opening.index);
        this.#rest = this.#rest.slice(opening.index + opening[0].length);
        this.#inside = true;
      } else if (closing !== null) {
        if (!this.#inside) {
          // The text before the tag was a thought too. Pieces that were returned already cannot be taken back.
          this.startedInside = true;
          this.#held = '';
          shown = '';
        }
        this.#rest = this.#rest.slice(closing.index + closing[0].length);
        this.#inside = false;
        this.#unsure = false;
        this.#trims = true;
      } else {
        return this.#trim(shown + this.#take());
      }
      this.hasThought = true;
    }
  }

  /** Returns the text that is still withheld and is no thought. */
  end(): string {
    const rest = this.#release() + (this.#inside ? '' : this.#rest);
    this.#rest = '';
    return this.#trim(rest);
  }

  get #isPlain(): boolean {
    return this.#rest === '' && this.#held === '' && !this.#inside && !this.#unsure && !this.#trims;
  }

  #release(): string {
    const held = this.#held;
    this.#held = '';
    this.#unsure = false;
    return held;
  }

  /** Takes the text that cannot become part of a tag from the rest. Returns what of it may be shown. */
  #take(): string {
    const withholds = this.#inside || this.#unsure;
    const cut = withholds ? Math.max(0, this.#rest.length - MAX_TAG_CHARS) : this.#findPartialTag();
    const taken = this.#rest.slice(0, cut);
    this.#rest = this.#rest.slice(cut);
    if (this.#inside) return '';
    if (!this.#unsure) return this.#release() + taken;
    this.#held += taken;
    return '';
  }

  /** Returns where an incomplete tag begins; the length if there is none. */
  #findPartialTag(): number {
    const rest = this.#rest;
    const start = Math.max(rest.lastIndexOf('<'), rest.lastIndexOf('['));
    const isPartial =
      start >= 0 && rest.length - start < MAX_TAG_CHARS && /^[<[]\/?[a-z:]*$/i.test(rest.slice(start));
    return isPartial ? start : rest.length;
  }

  /** An answer begins with its first word, not with the empty lines after the thoughts. */
  #trim(text: string): string {
    if (!this.#trims) return text;
    const trimmed = text.trimStart();
    if (trimmed !== '') this.#trims = false;
    return trimmed;
  }
}
