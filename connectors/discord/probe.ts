import type { Json, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { expectPlatform } from '../shared/expect-platform.ts';
import type { DiscordAccount } from './manifest.ts';
import { ownApplication } from './own-application.ts';

/** Allowed outright, or in fewer than a hundred servers. */
const MESSAGE_CONTENT = (1 << 18) | (1 << 19);

/** Also whether what the operator pasted belongs together: Discord would refuse it later, and say less. */
export function probe(account: DiscordAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Discord', account, () => profileOf(account, tools));
}

async function profileOf(account: DiscordAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const { application_id: id, public_key: key } = account.credentials;
  const application = await ownApplication(account, tools);
  if (application.id !== id)
    throw wrong(`The bot token is of the application ${application.id}, not of ${id}.`);
  if (application.verify_key.toLowerCase() !== key.toLowerCase())
    throw wrong(`The public key is not that of ${application.name}.`);
  if (application.bot === null) throw wrong(`${application.name} has no bot.`);
  return {
    id: application.bot.id,
    username: application.bot.username,
    name: application.name,
    message_content: (application.flags & MESSAGE_CONTENT) !== 0,
  };
}

function wrong(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
