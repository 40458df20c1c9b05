import type { Streaming } from '../../core/contract/facets.ts';
import { addressOf, isDirect } from './address.ts';
import { beginDraft } from './begin-draft.ts';
import { changePart } from './change-part.ts';
import { digestOf, stateOf } from './draft-state.ts';
import { endDraft } from './end-draft.ts';
import { growingPart } from './growing-part.ts';
import { MARKDOWN_CHARS, type SlackAccount } from './manifest.ts';
import { neutral } from './neutral.ts';
import { partOf } from './part.ts';
import { refusalError } from './refusal.ts';
import { appendStream, deleteMessage, isEnded, startStream, stopStream } from './stream-calls.ts';

/** Shows answers in threads: Slack has it nowhere else, and wants to know for whom outside of direct messages. */
export const streaming: Streaming<SlackAccount['credentials'], SlackAccount['settings']> = {
  /** 50 edits a minute are allowed in all of a team, and 100 pieces of streams. */
  everyMs: 1_200,

  applies(to, { settings }) {
    const { channel, thread, user, userTeam } = addressOf(to);
    return (
      settings.streaming && thread !== null && (isDirect(channel) || (user !== null && userTeam !== null))
    );
  },

  async begin({ text, to }, account, tools) {
    return { state: await beginDraft(neutral(text), addressOf(to), account, tools) };
  },

  async show({ draft, text, to }, account, tools) {
    const state = stateOf(draft);
    const address = addressOf(to);
    const markdown = neutral(text);
    const pending = markdown.slice(state.upTo);
    const isFull = markdown.length - state.from > MARKDOWN_CHARS;
    if (pending === '' || isFull) return draft;
    const shown = { ...state, upTo: markdown.length, digest: digestOf(markdown) };
    if (state.how === 'edit') {
      await changePart(growingPart(markdown.slice(state.from)), { ts: state.ts, address }, account, tools);
      return { state: shown };
    }
    const appended = await appendStream(pending, { ts: state.ts, address }, account, tools);
    if (appended.ok) return { state: shown };
    if (!isEnded(appended.refusal)) throw refusalError(appended.refusal);
    const started = await startStream(pending, address, account, tools);
    if (!started.ok) throw refusalError(started.refusal);
    const { ts = state.ts } = started.result;
    return { state: { ...shown, ts, earlier: [...state.earlier, state.ts], from: state.upTo } };
  },

  async end({ draft, part, to }, account, tools) {
    return endDraft({ state: stateOf(draft), part: partOf(part), address: addressOf(to) }, account, tools);
  },

  async discard(draft, to, account, tools) {
    const { how, ts, earlier } = stateOf(draft);
    const address = addressOf(to);
    if (how === 'stream') await stopStream({ rest: '', blocks: [] }, { ts, address }, account, tools);
    for (const each of [...earlier, ts]) {
      const outcome = await deleteMessage({ ts: each, address }, account, tools);
      if (!outcome.ok && outcome.refusal.code !== 'message_not_found') throw refusalError(outcome.refusal);
    }
  },
};
