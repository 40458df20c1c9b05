import {
  type Fields,
  isFields,
  type JsonSchema,
  withoutNull,
} from '../../../../parts/schema-form/json-schema.ts';
import type { MailProblem, MailServer, MailServerCheck } from './mailbox-requests.ts';

/** The names of the fields that hold the two servers, by what they are for. */
export const serverFields = { incoming: 'imap', outgoing: 'smtp' } as const;

/** The settings that have a field of their own, or a switch elsewhere. */
const elsewhere = ['from', 'name', 'enabled', 'verify'];

export interface MailboxSchemas {
  readonly credentials: JsonSchema;
  readonly settings: JsonSchema;
}

/** The names of all fields that are not on the first screen, the servers first. */
export function foldedFields({ credentials, settings }: MailboxSchemas): readonly string[] {
  const own = Object.keys(settings.properties ?? {}).filter((name) => !elsewhere.includes(name));
  return [...Object.keys(credentials.properties ?? {}), ...own];
}

/** How many controls a schema is drawn with. */
export function countFields(schema: JsonSchema): number {
  const { properties } = withoutNull(schema);
  if (properties === undefined) return 1;
  return Object.values(properties).reduce((count, property) => count + countFields(property), 0);
}

/** The fields of a server as it was found. The password is not among them: one counts for both. */
export function toServerFields(server: MailServer | null | undefined): Fields | undefined {
  return server == null ? undefined : { host: server.host, port: server.port, user: server.user };
}

/** Returns the servers by hand with the new address where their user was the old one. */
export function withUser(byHand: Fields, before: string, after: string): Fields {
  return Object.fromEntries(
    Object.entries(byHand).map(([key, server]) =>
      isFields(server) && server.user === before ? [key, { ...server, user: after }] : [key, server],
    ),
  );
}

interface Entered {
  readonly address: string;
  readonly password: string;
  /** Null removes the stored one. */
  readonly name: string | null;
  /** The folded fields: what was found, changed by hand where somebody did. */
  readonly folded: Fields;
}

/** The credentials and settings of the channel. The one password counts where a server has none of its own. */
export function toAccount({ address, password, name, folded }: Entered, { credentials }: MailboxSchemas) {
  const secret = Object.keys(credentials.properties ?? {});
  const isSecret = (key: string) => secret.includes(key);
  const servers = secret.map((key) => [key, withLogin(folded[key], address, password)]);
  const rest = Object.entries(folded).filter(([key]) => !isSecret(key));
  return {
    credentials: Object.fromEntries(servers),
    settings: { ...Object.fromEntries(rest), from: address, ...(name !== '' && { name }) },
  };
}

function withLogin(server: unknown, address: string, password: string): Fields {
  const own = isFields(server) ? server : {};
  const hasKey = own.pass !== undefined || own.oauth !== undefined;
  return { user: address, ...own, ...(!hasKey && password !== '' && { pass: password }) };
}

/** Whether both servers have a key of their own, so that the one password is not needed. */
export function hasOwnKeys(folded: Fields): boolean {
  return Object.values(serverFields).every((key) => {
    const server = folded[key];
    return isFields(server) && (server.pass !== undefined || server.oauth !== undefined);
  });
}

const ofPassword: readonly MailProblem[] = [
  'wrong_password',
  'app_password_needed',
  'passwords_off',
  'imap_off',
  'smtp_auth_off',
];

/** The problems by the field that they are about: the one password, the folder, or the host of the server. */
export function placeProblems(checks: readonly MailServerCheck[]): Readonly<Record<string, MailProblem>> {
  return Object.fromEntries(
    checks.flatMap(({ server, problem }) => {
      if (problem === null || problem === 'busy' || problem === 'other') return [];
      if (ofPassword.includes(problem)) return [['password', problem] as const];
      return [[problem === 'no_folder' ? 'mailbox' : `${serverFields[server]}.host`, problem] as const];
    }),
  );
}
