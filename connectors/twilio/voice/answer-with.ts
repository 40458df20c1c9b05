import type { Collected, HttpAnswer } from '../../../core/contract/webhook.ts';
import { addressFor, type CallState } from './call-state.ts';
import { handOff } from './hand-off.ts';
import { listenFor } from './listen-for.ts';
import type { VoiceAccount } from './manifest.ts';
import { partOf, type SpeechPart } from './part.ts';
import { speak } from './speak.ts';
import { twimlAnswer } from './twiml-answer.ts';
import { type VoiceTexts, voiceTexts } from './voice-texts.ts';

/** Half a minute: longer nobody listens to being asked for patience. */
const MOST_LAPS = 7;

interface Asked {
  readonly state: CallState;
  readonly caller: string | null;
  readonly account: VoiceAccount;
  /** The word for what he hears on with, where that is what he asked for. */
  readonly what: string | null;
}

/** What a caller hears who has said something: what there is to say, or a few words while it is made. */
export function answerWith({ parts, isAnswering, withPerson }: Collected, asked: Asked): HttpAnswer {
  const { state, caller, account } = asked;
  const { turn } = state;
  const texts = voiceTexts(account.settings.language);
  const said = parts.map(partOf).filter((part) => part.kind === 'speech');
  const last = said.at(-1);
  const sentences = said.flatMap((part) => part.sentences);
  if (said.some(({ handover }) => handover)) return handOff(sentences, caller, account);
  if (last !== undefined) {
    return listenFor([...sentences, ...question(last, texts)], { turn: turn + 1, ...last.asks }, account);
  }
  if (isAnswering) return fillTime(asked, texts);
  if (withPerson) return handOff([texts.passedOn, texts.withPerson], caller, account);
  return listenFor([texts.lost], { turn: turn + 1 }, account);
}

function question({ asks }: SpeechPart, texts: VoiceTexts): readonly string[] {
  if (asks === null) return [];
  return [asks.asks === 'more' ? texts.goOn : texts.sendLink];
}

function fillTime({ state: { turn, lap }, account, what }: Asked, texts: VoiceTexts): HttpAnswer {
  if (lap >= MOST_LAPS) return listenFor([texts.tooLong], { turn: turn + 1 }, account);
  return twimlAnswer((response) => {
    const filler = texts.fillers[Math.min(lap, texts.fillers.length - 1)];
    // Each is said once; then it is quiet, as it is where a person looks something up.
    if (filler !== undefined && lap < texts.fillers.length) speak(response, [filler], account);
    response.redirect({ method: 'POST' }, addressFor(account, { step: 'wait', turn, lap: lap + 1, what }));
  });
}
