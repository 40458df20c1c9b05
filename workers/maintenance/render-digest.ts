import { truncateText } from '../../core/base/text.ts';
import type { ConnectorRegistry } from '../../core/channels/connector-registry.ts';
import type { Mail } from '../../core/contract/facets.ts';
import type { DigestItem } from '../../core/inbox/digests.ts';
import { handleOf } from '../../core/inbox/list.ts';
import type { DigestTexts } from '../../core/language/language-texts.ts';
import { findText } from '../../core/language/localised-texts.ts';

interface Digest {
  readonly email: string;
  /** The language of the person; null: that of their browser, which is unknown here. */
  readonly language: string | null;
  readonly workspaceId: string;
  readonly workspace: string;
  readonly items: readonly DigestItem[];
  /** The address of this installation. */
  readonly base: string;
  /** They name their channels. */
  readonly connectors: Pick<ConnectorRegistry, 'findConnector'>;
}

const MAX_LINES = 20;

/** Renders what a person has not seen, without contents of messages or notes. */
export function renderDigest({ workspaceId, workspace, items, base, ...digest }: Digest): Mail {
  const language = digest.language === 'de' ? 'de' : 'en';
  const texts = findText('digest', digest.language ?? 'en');
  const inbox = `${base}/dashboard/w/${workspaceId}/inbox`;
  const subject = texts.subject(
    new Set(items.map(({ conversationId }) => conversationId)).size,
    toOneLine(workspace),
  );
  const lines = items.slice(0, MAX_LINES).map((item) => {
    // A conversation without a connector came by the API.
    const channel = digest.connectors.findConnector(item.channel)?.about.name[language] ?? 'API';
    return `${describe(item, texts)} (${channel})\n${inbox}/${item.conversationId}`;
  });
  const rest = items.length - lines.length;
  const more = rest > 0 ? [`${texts.more(rest)}:\n${inbox}`] : [];
  const ending = `${texts.switchOff}: ${base}/dashboard/me`;
  return { to: digest.email, subject, text: [subject, ...lines, ...more, ending].join('\n\n') };
}

function describe(item: DigestItem, texts: DigestTexts): string {
  const actor = item.actor === null ? null : toOneLine(item.actor);
  const event = {
    mention: texts.mention(actor ?? 'Parley'),
    assignment: texts.assignment(actor),
    continuation: texts.continuation,
  }[item.kind];
  return `${event}: ${toOneLine(handleOf(item) ?? texts.visitor)}`;
}

const MAX_NAME = 100;

/** Names are foreign text: none begins another line or header, or turns the direction of the line. */
export function toOneLine(name: string): string {
  return truncateText(
    name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim(),
    MAX_NAME,
  );
}
