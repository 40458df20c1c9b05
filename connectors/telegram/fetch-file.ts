import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import { fileIn } from '../shared/file-in.ts';
import { lenient } from '../shared/lenient.ts';
import { requestFile } from '../shared/request-file.ts';
import { homeOf } from './call-telegram.ts';
import { demandTelegram } from './demand-telegram.ts';
import type { TelegramAccount } from './manifest.ts';

/** A file by its id: where somebody is, and whom he knows, is kept as an attachment too. */
const isId = /^[\w-]{1,250}$/;
/** A server of one's own may tell where the file is on its disk instead. */
const isBelow = /^[\w-]+(?:\/[\w-][\w.-]*)+$/;

const told = z.object({ file_path: lenient(z.string()) });

/** A file of a visitor. Telegram says where it is for an hour; the token stands in that address, as in every other. */
export async function fetchFile(
  reference: string,
  account: TelegramAccount,
  tools: Tools,
): Promise<FetchedFile> {
  if (!isId.test(reference)) throw refused('This is no file of Telegram.');
  const params = { file_id: reference };
  const { file_path: path } = await demandTelegram(
    { method: 'getFile', params, result: told },
    account,
    tools,
  );
  if (path === null || !isBelow.test(path)) throw refused('Telegram does not hand the file out.');
  const { bot_token: token } = account.credentials;
  const address = `${homeOf(account)}/file/bot${token}/${path}`;
  const response = await requestFile({ address, platform: 'Telegram', secrets: [token] }, tools);
  return fileIn(response, 'Telegram', tools);
}

function refused(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
