import { z } from 'zod';

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e]{1,4000}$/;
/** The client sets them itself, or they would change what is asked for. */
const OWN_HEADERS =
  /^(?:accept|connection|content-length|content-type|host|if-modified-since|if-none-match|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

/** The sign-in of a website that shows its pages to those who have one. */
export const websiteCredentials = z.object({
  username: z
    .string()
    .max(200)
    .regex(/^[^:\p{Cc}]*$/u, 'Leave colons and control characters out.')
    .optional()
    .meta({ description: 'The user name, if the website asks for one (basic authentication).' }),
  password: z
    .string()
    .max(500)
    .regex(/^\P{Cc}*$/u, 'Leave control characters out.')
    .optional()
    .meta({ description: 'The password of this user.', format: 'password' }),
  headers: z
    .array(
      z
        .string()
        .trim()
        .max(5_000)
        .refine((line) => readHeader(line) !== null, 'Write a header as Name: value.'),
    )
    .max(20)
    .optional()
    .meta({
      description:
        'Request headers, such as Authorization: Bearer … or Cookie: session=…. They are sent to the host of the start only.',
    }),
});

export type WebsiteCredentials = z.output<typeof websiteCredentials>;

/** Returns null for a line that is no header which a person may give. */
function readHeader(line: string): readonly [name: string, value: string] | null {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
  const value = line.slice(colon + 1).trim();
  const isGiven = HEADER_NAME.test(name) && HEADER_VALUE.test(value) && !OWN_HEADERS.test(name);
  return isGiven ? [name, value] : null;
}

/**
 * Returns a function that gives the headers for an address: those of the credentials for the host of the start, and none for
 * any other host, nor for http where the start is https.
 */
export function createSignIn(
  start: string,
  { username, password, headers = [] }: WebsiteCredentials,
): (address: string) => Readonly<Record<string, string>> {
  const { host, protocol } = new URL(start);
  const given = headers.map(readHeader).filter((header) => header !== null);
  const basic = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
  const sent: Readonly<Record<string, string>> = {
    ...(username !== undefined && { authorization: `Basic ${basic}` }),
    ...Object.fromEntries(given),
  };
  return (address) => {
    const url = new URL(address);
    const isSame = url.host === host && (url.protocol === 'https:' || url.protocol === protocol);
    return isSame ? sent : {};
  };
}
