import { FormData } from 'undici';
import { toStorableText, truncateText } from '../../base/text.ts';
import { modelName } from '../../config/model-choice.ts';
import { withDeadline } from '../../contract/abort-signal.ts';
import type { ChatMessage, ChatModel } from '../../models/chat-model.ts';
import { CircuitBreaker } from '../../models/circuit-breaker.ts';
import { adviceFor, type CheckedModel, type CheckOptions } from '../../models/model-check.ts';
import { type ModelPoolOptions, openChatModel } from '../../models/model-pool.ts';
import { postForm } from '../../models/openai/post-json.ts';
import { ProviderFailure, readField, safeReason, toProviderFailure } from '../../models/provider-failure.ts';
import { findMediaModel, type ReachableModel } from '../../models/provider-settings.ts';
import { describePicturePrompt, NOTHING_SEEN } from '../prompts/describe-picture-v1.ts';

/** A recording or a picture. */
interface Medium {
  readonly bytes: Uint8Array;
  /** The content type, without parameters: `audio/ogg`. */
  readonly contentType: string;
}

interface CallLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The models that hear recordings and see pictures. Each function is null if its model is not configured. */
export interface MediaModels {
  /** Returns the words of a recording; null if it has none, or the model does not answer. */
  readonly transcribe: ((recording: Medium, limits: CallLimits) => Promise<string | null>) | null;
  /** Returns what a picture shows, in a language (ISO 639-1); null if nothing, or the model does not answer. */
  readonly describe: ((picture: Picture, limits: CallLimits) => Promise<string | null>) | null;
  /** Sends a short recording and a small picture, and logs the models that do not answer. */
  check(limits?: Pick<CheckOptions, 'signal' | 'timeoutMs'>): Promise<readonly CheckedModel[]>;
}

export interface Picture extends Medium {
  readonly text: string;
  readonly language: string;
}

/** The limit allows about five minutes of speech. */
const MAX_TRANSCRIPT_CHARS = 4_000;
const MAX_DESCRIPTION_CHARS = 1_500;
/** Local servers load a model at its first request. */
const CHECK_TIMEOUT_MS = 120_000;

/** Opens the configured models; null if there is none. Throws a StartError if a provider's package is missing. */
export async function openMediaModels(options: ModelPoolOptions): Promise<MediaModels | null> {
  const hearing = findMediaModel(options.config, 'TRANSCRIPTION_MODEL');
  const seeing = findMediaModel(options.config, 'VISION_MODEL');
  const ears = hearing && new MediaModel('TRANSCRIPTION_MODEL', hearing, options);
  const eyes = seeing && new MediaModel('VISION_MODEL', seeing, options);
  const vision = seeing && (await openChatModel(seeing.choice, seeing.settings));
  if (ears === null && eyes === null) return null;
  return {
    transcribe:
      hearing &&
      ears &&
      (async (recording, limits) => {
        const heard = await ears.call(limits, (signal) => requestTranscript(hearing, recording, signal));
        return heard === null ? null : wordsOf(heard);
      }),
    describe:
      vision &&
      eyes &&
      (async ({ bytes, contentType, ...asked }, limits) => {
        const image = `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;
        const messages = describePicturePrompt({ ...asked, image });
        const seen = await eyes.call(limits, (signal) => requestText(vision, messages, signal));
        return seen === null ? null : sightOf(seen);
      }),
    async check({ timeoutMs = CHECK_TIMEOUT_MS, signal } = {}) {
      const limits = { timeoutMs, signal };
      const checks = await Promise.all([
        hearing && ears?.check(limits, (connection) => requestTranscript(hearing, silence(), connection)),
        vision && eyes?.check(limits, (connection) => requestText(vision, [blankPage], connection)),
      ]);
      return checks.filter((checked) => checked != null);
    },
  };
}

/** A provider's model with its circuit breaker. */
class MediaModel {
  readonly #variable: NonNullable<CheckedModel['variable']>;
  readonly #name: string;
  readonly #apiKey: string;
  readonly #log: ModelPoolOptions['log'];
  readonly #breaker: CircuitBreaker;

  constructor(
    variable: NonNullable<CheckedModel['variable']>,
    { choice, settings }: ReachableModel,
    { clock, log, count }: ModelPoolOptions,
  ) {
    this.#variable = variable;
    this.#name = modelName(choice);
    this.#apiKey = settings.apiKey;
    this.#log = log;
    this.#breaker = new CircuitBreaker(clock, (outcome) => count?.(this.#name, outcome));
  }

  /** Returns null if the model is paused or fails, which is logged. Throws the reason of the signal if it aborts. */
  async call<Result>(
    limits: CallLimits,
    request: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | null> {
    if (!this.#breaker.admit()) return null;
    try {
      return await this.#request(limits, request);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const reason = safeReason(error, this.#apiKey);
      this.#log.warn({ model: this.#name, failure: error.kind, reason }, 'reading an attachment failed');
      return null;
    }
  }

  /** A paused model is asked too: a success ends the pause. */
  async check(limits: CallLimits, request: (signal: AbortSignal) => Promise<string>): Promise<CheckedModel> {
    const checked = { model: this.#name, variable: this.#variable };
    this.#breaker.admit();
    try {
      await this.#request(limits, request);
      return { ...checked, failure: null };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) {
        if (limits.signal?.aborted === true) return { ...checked, failure: null };
        throw error;
      }
      const advice = adviceFor(error, this.#variable);
      const reason = safeReason(error, this.#apiKey);
      this.#log.warn({ model: this.#name, failure: error.kind, reason, advice }, 'model check failed');
      return { ...checked, failure: error };
    }
  }

  /** Calls the model, which the breaker has admitted. Throws a `ProviderFailure`, or the reason of the signal. */
  async #request<Result>(
    limits: CallLimits,
    request: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    try {
      const result = await withDeadline(limits, request);
      this.#breaker.succeeded();
      return result;
    } catch (error) {
      if (limits.signal?.aborted === true) {
        this.#breaker.abandoned();
        throw limits.signal.reason;
      }
      const failure = toProviderFailure(error);
      this.#breaker.failed(failure);
      throw failure;
    }
  }
}

/**
 * The endings by which OpenAI and others recognise a recording: they refuse Telegram's `.oga`, and files without a name.
 */
const ENDINGS: Readonly<Record<string, string>> = {
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/flac': 'flac',
  'audio/m4a': 'm4a',
  'audio/mp3': 'mp3',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/x-m4a': 'm4a',
  'audio/x-wav': 'wav',
};

/** Names no language: a wrong one makes models translate, and the platform only knows that of the visitor's device. */
async function requestTranscript(
  { choice, settings }: ReachableModel,
  { bytes, contentType }: Medium,
  signal: AbortSignal,
): Promise<string> {
  const body = new FormData();
  body.set('model', choice.model);
  const file = new Blob([Uint8Array.from(bytes)], { type: contentType });
  body.set('file', file, `recording.${ENDINGS[contentType] ?? 'ogg'}`);
  const response = await postForm(settings, { path: '/audio/transcriptions', body, signal });
  const text = readField(await response.json(), 'text');
  if (typeof text !== 'string') throw new ProviderFailure('failed', { cause: 'the answer has no text' });
  return text;
}

async function requestText(
  model: ChatModel,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<string> {
  let text = '';
  for await (const piece of model.write({ messages, temperature: null, streamed: false, signal })) {
    text += piece.text;
  }
  if (text.trim() === '') throw new ProviderFailure('failed', { cause: 'the answer is empty' });
  return text;
}

/** Sounds in brackets or asterisks, as models write them: `[BLANK_AUDIO]`, `(music)`, `*coughs*`. */
const SOUND = /\[[^[\]]*\]|\([^()]*\)|\*[^*]*\*/gu;
/** The words that Whisper hears in silence: credits of the subtitles that it learned from. */
const CREDITS = /amara\.org|untertitel(?:ung)? (?:des|im auftrag des) zdf|thanks for watching|subtitles by/iu;

/** Returns null if nothing was said. */
function wordsOf(heard: string): string | null {
  const text = toStorableText(heard).trim();
  const isSilent = !/[\p{L}\p{N}]/u.test(text.replace(SOUND, ''));
  return isSilent || (text.length < 80 && CREDITS.test(text))
    ? null
    : truncateText(text, MAX_TRANSCRIPT_CHARS);
}

function sightOf(seen: string): string | null {
  const text = toStorableText(seen).trim();
  return text.startsWith(NOTHING_SEEN) && text.length <= NOTHING_SEEN.length + 1
    ? null
    : truncateText(text, MAX_DESCRIPTION_CHARS);
}

const HEADER_BYTES = 44;
const SAMPLES_PER_SECOND = 16_000;

/** Returns a second of silence as a WAV file with 16 bits a sample. */
function silence(): Medium {
  const dataBytes = SAMPLES_PER_SECOND * 2;
  const file = Buffer.alloc(HEADER_BYTES + dataBytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  file.writeUInt32LE(SAMPLES_PER_SECOND * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(dataBytes, 40);
  return { bytes: file, contentType: 'audio/wav' };
}

/** A white page of 64 by 64 points: some models refuse smaller pictures. */
const blankPage: ChatMessage = {
  role: 'user',
  text: 'Reply with the word OK.',
  image:
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAEklEQVR42mP4DwUMo4xRBukMAOPT/hAC2mzjAAAAAElFTkSuQmCC',
};
