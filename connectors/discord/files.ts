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
  const files = attachedFiles(message).map(
    ({ id: attachment, filename, content_type, size, duration_secs: seconds }) => ({
      kind: fileKind(content_type),
      name: filename,
      contentType: content_type,
      bytes: size,
      reference: formatFileReference({ channel, message: id, attachment }),
      ...(seconds !== null && { seconds }),
    }),
  );
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

/** Returns the files of a message and of the messages that it forwards. */
function attachedFiles({ attachments, message_snapshots: forwarded }: DiscordMessage) {
  return [attachments, ...(forwarded ?? []).map(({ message }) => message.attachments)].flatMap(
    (files) => files ?? [],
  );
}

/** A file of a message. Its address expires within a day, so the reference names the message, which has a fresh address. */
interface MessageFile {
  readonly channel: string;
  readonly message: string;
  readonly attachment: string;
}

/** A sticker, whose address does not expire. */
interface StickerFile {
  /** Such as `1234.png`. */
  readonly sticker: string;
}

type Sticker = NonNullable<DiscordMessage['sticker_items']>[number];

/** The endings by `format_type`: 1 PNG, 2 animated PNG, 3 Lottie, 4 GIF. */
const STICKER_ENDINGS = ['png', 'png', 'png', 'json', 'gif'];

const ofMessage = /^(\d+)\/(\d+)\/(\d+)$/;
const ofSticker = /^sticker:(\d+\.(?:png|json|gif))$/;

function formatFileReference({ channel, message, attachment }: MessageFile): string {
  return `${channel}/${message}/${attachment}`;
}

function formatStickerReference({ id, format_type: format }: Sticker): string {
  return `sticker:${id}.${STICKER_ENDINGS[format ?? 0] ?? 'png'}`;
}

/** Parses a reference that `parseAttachments` built; null for any other text. */
function parseFileReference(reference: string): MessageFile | StickerFile | null {
  const [, sticker] = ofSticker.exec(reference) ?? [];
  if (sticker !== undefined) return { sticker };
  const [, channel, message, attachment] = ofMessage.exec(reference) ?? [];
  if (channel === undefined || message === undefined || attachment === undefined) return null;
  return { channel, message, attachment };
}

const STORAGE = "Discord's storage";
const HOSTS = ['cdn.discordapp.com', 'media.discordapp.net'];

/**
 * Downloads a file of a visitor. File addresses are signed and expire within a day, so Discord is asked for a fresh one. The
 * storage hosts never receive the bot token.
 */
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
  if (file === null) throw fileError('The file reference is not a Discord file.');
  if ('sticker' in file) return stickerUrl(file.sticker);
  const path = `/channels/${file.channel}/messages/${file.message}`;
  const message = await callDiscordOrThrow({ method: 'GET', path, result: messageSchema }, account, tools);
  const found = attachedFiles(message).find(({ id }) => id === file.attachment);
  if (found === undefined) throw fileError('The message no longer contains the file.');
  return found.url;
}

function stickerUrl(name: string): string {
  const host = name.endsWith('.gif') ? 'media.discordapp.net' : 'cdn.discordapp.com';
  return `https://${host}/stickers/${name}`;
}

/** Returns the address if it belongs to Discord's storage or to `api_base_url`; otherwise throws a ConnectorError. */
function requireDiscordUrl(address: string, { settings }: DiscordAccount): string {
  const url = URL.parse(address);
  const isConfigured = url !== null && url.origin === URL.parse(settings.api_base_url ?? '')?.origin;
  const isOwn = url?.protocol === 'https:' && HOSTS.includes(url.hostname);
  if (url !== null && (isOwn || isConfigured)) return url.href;
  throw fileError('The address of the file is not one of Discord.');
}

function fileError(message: string): ConnectorError {
  return new ConnectorError(message, { advice: { retry: 'never' } });
}
