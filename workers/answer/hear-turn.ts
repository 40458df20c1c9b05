import type { MediaModels } from '../../core/answering/media/media-models.ts';
import {
  isReadable,
  type MediaReadings,
  readAttachments,
  withReadings,
} from '../../core/answering/media/read-attachments.ts';
import { loadReadings, storeReadings } from '../../core/channels/inbound/event-records.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { type AskedTurn, findTurnLanguage } from './plan-turn.ts';

/** The maximum for each message of the turn, and for all of them. */
const MAX_FILES_A_MESSAGE = 2;
const MAX_FILES = 4;

interface Dependencies extends Pick<LaneDependencies, 'connectorCalls' | 'database' | 'log'> {
  readonly media: MediaModels;
}

/**
 * Returns the turn with the words of its recordings, which become words of the visitor, and with descriptions of its
 * pictures. They are stored with the event at once, so that another attempt does not ask the models again. Returns the turn
 * unchanged if the models make nothing of its files. For an agent only recordings are heard.
 */
export async function hearTurn(dependencies: Dependencies, asked: AskedTurn): Promise<AskedTurn> {
  const { media } = dependencies;
  const { turn, conversation, open, held } = asked;
  const { fetchFile } = open.connector.open(open.account);
  const isQuestion = turn.command === null || turn.command === 'more';
  if (fetchFile === undefined || !isQuestion) return asked;
  const models = conversation?.withPerson === true ? { ...media, describe: null } : media;
  const attachments = turn.attachments
    .filter((attachment) => isReadable(models, attachment))
    .slice(0, Math.min(MAX_FILES, MAX_FILES_A_MESSAGE * turn.texts.length));
  if (attachments.length === 0) return asked;
  const events = { channelId: held.channelId, numbers: asked.numbers };
  const stored = await loadReadings(dependencies.database.kysely, events);
  const unread = attachments.filter(({ reference }) => stored[reference] === undefined);
  const read = await readAttachments({
    media: models,
    attachments: unread,
    text: turn.text,
    language: asked.language,
    fetchFile: (reference) =>
      dependencies.connectorCalls.call(open.account, (tools) => fetchFile(reference, tools)),
    log: dependencies.log,
    signal: AbortSignal.any([held.signal, held.takenOver]),
  });
  const readings = { ...stored, ...read };
  if (Object.keys(read).length > 0) await storeReadings(dependencies.database.kysely, events, readings);
  return withMedia(asked, readings);
}

function withMedia(asked: AskedTurn, readings: MediaReadings): AskedTurn {
  const attachments = withReadings(asked.turn.attachments, readings);
  const said = attachments.flatMap(({ transcript }) => transcript ?? []);
  const text = [asked.turn.text, ...said].filter((piece) => piece !== '').join('\n');
  const turn = { ...asked.turn, attachments, text };
  const language = said.length === 0 ? asked.language : findTurnLanguage(turn);
  return { ...asked, turn, language };
}
