import { areas } from '../frame/areas.ts';
import type { AnswerWords } from '../screens/answers/answer-words.ts';
import { keyId, listKeys } from '../screens/inbox/list/list-keys.ts';
import type { ChangeWords } from '../screens/knowledge/changes/change-words.ts';
import type { CuratedWords } from '../screens/knowledge/curated/curated-words.ts';
import type { ProposalWords } from '../screens/knowledge/evaluation/sampled/proposal-words.ts';
import type { Catalogue } from '../texts/english.ts';

/** An action whose keys a person can change, by the id under which a screen offers it. */
interface ChangeableKey {
  readonly id: string;
  readonly name: string;
  /** Unless the person chose others. */
  readonly keys: string;
}

interface KeyGroup {
  readonly name: string;
  readonly keys: readonly ChangeableKey[];
}

/** The texts that screens bring with them. */
interface ScreenWords {
  readonly answers: AnswerWords;
  readonly changes: ChangeWords;
  readonly curated: CuratedWords;
  readonly proposals: ProposalWords;
}

/** All actions with keys, for the profile: the screens that offer them are not open there. */
export function keyCatalogue(
  texts: Catalogue,
  { answers, changes, curated, proposals }: ScreenWords,
): readonly KeyGroup[] {
  const { frame, parts, inbox, knowledge, sources, channels, conversation, evaluation } = texts;
  const { keys: desk } = conversation;
  return [
    {
      name: frame.keys.everywhere,
      keys: [
        { id: 'command', name: frame.command.title, keys: 'mod+k' },
        { id: 'keys', name: frame.keys.showKeys, keys: '?' },
        { id: 'undo', name: frame.keys.undo, keys: 'z' },
        { id: 'ask', name: evaluation.ask.open, keys: 'q' },
        { id: 'switch-workspace', name: frame.switchWorkspace, keys: 'g w' },
        ...areas.map(({ id, letter }) => ({
          id: `go-${id}`,
          name: `${frame.command.goTo}: ${frame.areas[id]}`,
          keys: `g ${letter}`,
        })),
      ],
    },
    {
      name: frame.areas.inbox,
      keys: listKeys.map(({ name, keys }) => ({
        id: keyId(name),
        name: name === 'search' ? inbox.search : inbox.actions[name],
        keys,
      })),
    },
    {
      name: inbox.openConversation,
      keys: [
        { id: 'composer-reply', name: desk.reply, keys: 'r' },
        { id: 'composer-note', name: desk.note, keys: 'n' },
        { id: 'composer-send', name: desk.send, keys: 'mod+Enter' },
        { id: 'composer-send-next', name: desk.sendNext, keys: 'mod+Shift+Enter' },
        { id: 'composer-file', name: desk.file, keys: 'f' },
        { id: 'composer-draft', name: desk.draft, keys: 'mod+j' },
        { id: 'undo-send', name: desk.undoSend, keys: 'z' },
        { id: 'conversation-resolve', name: desk.resolve, keys: 'e' },
        { id: 'conversation-assign', name: desk.assign, keys: 'a' },
        { id: 'conversation-assign-me', name: desk.assignMe, keys: 'i' },
        { id: 'conversation-take-over', name: desk.takeOver, keys: 't' },
        { id: 'conversation-snooze', name: desk.snooze, keys: 's' },
        { id: 'conversation-tag', name: conversation.side.addTag, keys: 'l' },
        { id: 'conversation-details', name: desk.details, keys: 'd' },
        { id: 'conversation-why', name: desk.why, keys: 'o' },
      ],
    },
    {
      name: frame.areas.answers,
      keys: [
        { id: 'answers-search', name: knowledge.keys.search, keys: '/' },
        { id: 'answers-next', name: answers.keys.next, keys: 'j' },
        { id: 'answers-previous', name: answers.keys.previous, keys: 'k' },
        { id: 'answers-replay', name: answers.keys.replay, keys: 'r' },
        { id: 'answers-fix', name: answers.keys.fix, keys: 'f' },
      ],
    },
    {
      name: frame.areas.knowledge,
      keys: [
        { id: 'documents-search', name: knowledge.keys.search, keys: '/' },
        { id: 'documents-add', name: knowledge.keys.add, keys: 'n' },
        { id: 'documents-pick', name: knowledge.keys.pick, keys: 'x' },
        { id: 'documents-delete', name: knowledge.keys.delete, keys: 'Delete' },
        { id: 'curated-search', name: curated.search, keys: '/' },
        { id: 'curated-add', name: curated.add, keys: 'n' },
        { id: 'document-next', name: parts.tabs.next, keys: ']' },
        { id: 'document-previous', name: parts.tabs.previous, keys: '[' },
        { id: 'test-run', name: evaluation.run, keys: 'r' },
        { id: 'proposal-right', name: proposals.keys.right, keys: '1' },
        { id: 'proposal-nothing', name: proposals.keys.nothing, keys: '2' },
        { id: 'proposal-skip', name: proposals.keys.skip, keys: '3' },
        { id: 'proposal-next', name: proposals.keys.next, keys: 'j' },
        { id: 'proposal-previous', name: proposals.keys.previous, keys: 'k' },
        { id: 'set-publish', name: changes.publishKey, keys: 'mod+Enter' },
        { id: 'set-better', name: changes.verdictKey(changes.verdicts.better), keys: '1' },
        { id: 'set-fine', name: changes.verdictKey(changes.verdicts.fine), keys: '2' },
        { id: 'set-worse', name: changes.verdictKey(changes.verdicts.worse), keys: '3' },
        { id: 'sources-add', name: sources.add, keys: 'n' },
        { id: 'source-next', name: parts.tabs.next, keys: ']' },
        { id: 'source-previous', name: parts.tabs.previous, keys: '[' },
      ],
    },
    { name: frame.areas.channels, keys: [{ id: 'channels.add', name: channels.add, keys: 'c' }] },
  ];
}
