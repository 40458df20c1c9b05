import { ConnectorError } from '../../core/contract/connector-error.ts';

/** A file in a conversation. Its address is good for half an hour: the message is what it is asked for again by. */
export interface FileReference {
  readonly conversation: string;
  /** As the id of the message ends. */
  readonly part: string;
  readonly address: string;
}

const form = /^([^\s/]+)\/([^\s/]+) (\S+)$/;

export function writeFileReference(messageId: string, address: string): string {
  return `${messageId} ${address}`;
}

export function readFileReference(reference: string): FileReference {
  const [, conversation, part, address] = form.exec(reference) ?? [];
  if (conversation !== undefined && part !== undefined && address !== undefined)
    return { conversation, part, address };
  throw new ConnectorError('This is no file of an Intercom conversation.', { advice: { retry: 'never' } });
}
