import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import { fileIn } from '../shared/file-in.ts';
import { requestFile } from '../shared/request-file.ts';
import { filesOf } from './attachments-of.ts';
import { demandDiscord } from './call-discord.ts';
import { readFileReference } from './file-reference.ts';
import type { DiscordAccount } from './manifest.ts';
import { messageSchema } from './native-schema.ts';

const STORAGE = "Discord's storage";
const HOSTS = ['cdn.discordapp.com', 'media.discordapp.net'];

/** A file of a visitor. Addresses are signed, and end within a day: nobody is shown the token, and Discord is asked anew. */
export async function fetchFile(
  reference: string,
  account: DiscordAccount,
  tools: Tools,
): Promise<FetchedFile> {
  const address = requireOwn(await addressOf(reference, account, tools), account);
  const response = await requestFile({ address, platform: STORAGE, secrets: [address] }, tools);
  return fileIn(response, STORAGE, tools);
}

async function addressOf(reference: string, account: DiscordAccount, tools: Tools): Promise<string> {
  const file = readFileReference(reference);
  if (file === null) throw refused('This is no file of Discord.');
  if ('sticker' in file) return stickerAddress(file.sticker);
  const path = `/channels/${file.channel}/messages/${file.message}`;
  const message = await demandDiscord({ method: 'GET', path, result: messageSchema }, account, tools);
  const found = filesOf(message).find(({ id }) => id === file.attachment);
  if (found === undefined) throw refused('The file is not in the message any more.');
  return found.url;
}

function stickerAddress(name: string): string {
  const host = name.endsWith('.gif') ? 'media.discordapp.net' : 'cdn.discordapp.com';
  return `https://${host}/stickers/${name}`;
}

/** Discord's, or where the operator has us call Discord. */
function requireOwn(address: string, { settings }: DiscordAccount): string {
  const url = URL.parse(address);
  const isElsewhere = url !== null && url.origin === URL.parse(settings.api_base_url ?? '')?.origin;
  const isOwn = url?.protocol === 'https:' && HOSTS.includes(url.hostname);
  if (url !== null && (isOwn || isElsewhere)) return url.href;
  throw refused('The file is not at Discord.');
}

function refused(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
