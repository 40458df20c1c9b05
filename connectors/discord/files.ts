import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import type { Attachment } from '../../core/contract/inbound.ts';
import { fileKind, readFile, requestFile } from '../shared/files.ts';
import { callDiscordOrThrow } from './api-client.ts';
import type { DiscordAccount } from './manifest.ts';
import { type DiscordMessage, messageSchema } from './payloads.ts';

export function parseAttachments(message: DiscordMessage): readonly Attachment[] {
  const { channel_id: channel, id, sticker_items: stickers } = message;
  const files = attachedFiles(message).map(({ id: attachment, filename, content_type, size }) => ({
    kind: fileKind(content_type),
    name: filename,
    contentType: content_type,
    bytes: size,
    reference: formatFileReference({ channel, message: id, attachment }),
  }));
  const images = (stickers ?? []).map((sticker) => ({
    kind: 'image' as const,
    name: sticker.name,
    contentType: null,
    bytes: null,
    reference: formatStickerReference(sticker),
    incidental: true,
  }));
  return [...files, ...images];
}

/** Also of what was passed on with it. */
function attachedFiles({ attachments, message_snapshots: passedOn }: DiscordMessage) {
  return [attachments, ...(passedOn ?? []).map(({ message }) => message.attachments)].flatMap(
    (files) => files ?? [],
  );
}

/** A file of a message: its address ends within a day, so it is the message that is asked for it again. */
interface MessageFile {
  readonly channel: string;
  readonly message: string;
  readonly attachment: string;
}

/** A sticker stays where it is. */
interface StickerFile {
  /** Such as `1234.png`. */
  readonly sticker: string;
}

type Sticker = NonNullable<DiscordMessage['sticker_items']>[number];

/** By `format_type`: PNG, animated PNG, Lottie and GIF. */
const STICKER_ENDINGS = ['png', 'png', 'png', 'json', 'gif'];

const ofMessage = /^(\d+)\/(\d+)\/(\d+)$/;
const ofSticker = /^sticker:(\d+\.(?:png|json|gif))$/;

function formatFileReference({ channel, message, attachment }: MessageFile): string {
  return `${channel}/${message}/${attachment}`;
}

function formatStickerReference({ id, format_type: format }: Sticker): string {
  return `sticker:${id}.${STICKER_ENDINGS[format ?? 0] ?? 'png'}`;
}

/** Null for what is none of ours. */
function parseFileReference(reference: string): MessageFile | StickerFile | null {
  const [, sticker] = ofSticker.exec(reference) ?? [];
  if (sticker !== undefined) return { sticker };
  const [, channel, message, attachment] = ofMessage.exec(reference) ?? [];
  if (channel === undefined || message === undefined || attachment === undefined) return null;
  return { channel, message, attachment };
}

const STORAGE = "Discord's storage";
const HOSTS = ['cdn.discordapp.com', 'media.discordapp.net'];

/** A file of a visitor. Addresses are signed, and end within a day: nobody is shown the token, and Discord is asked anew. */
export async function fetchFile(
  reference: string,
  account: DiscordAccount,
  tools: Tools,
): Promise<FetchedFile> {
  const address = requireDiscordUrl(await downloadUrl(reference, account, tools), account);
  const response = await requestFile({ address, platform: STORAGE, secrets: [address] }, tools);
  return readFile(response, STORAGE, tools);
}

async function downloadUrl(reference: string, account: DiscordAccount, tools: Tools): Promise<string> {
  const file = parseFileReference(reference);
  if (file === null) throw fileError('This is no file of Discord.');
  if ('sticker' in file) return stickerUrl(file.sticker);
  const path = `/channels/${file.channel}/messages/${file.message}`;
  const message = await callDiscordOrThrow({ method: 'GET', path, result: messageSchema }, account, tools);
  const found = attachedFiles(message).find(({ id }) => id === file.attachment);
  if (found === undefined) throw fileError('The file is not in the message any more.');
  return found.url;
}

function stickerUrl(name: string): string {
  const host = name.endsWith('.gif') ? 'media.discordapp.net' : 'cdn.discordapp.com';
  return `https://${host}/stickers/${name}`;
}

/** Discord's, or where the operator has us call Discord. */
function requireDiscordUrl(address: string, { settings }: DiscordAccount): string {
  const url = URL.parse(address);
  const isElsewhere = url !== null && url.origin === URL.parse(settings.api_base_url ?? '')?.origin;
  const isOwn = url?.protocol === 'https:' && HOSTS.includes(url.hostname);
  if (url !== null && (isOwn || isElsewhere)) return url.href;
  throw fileError('The file is not at Discord.');
}

function fileError(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
