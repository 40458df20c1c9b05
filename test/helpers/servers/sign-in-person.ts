import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { MemberRole } from '../../../core/members/authority.ts';
import { acceptInvitation } from '../../../core/members/join.ts';
import { createLink } from '../../../core/members/member-links.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';

export const testPassword = 'lavender-teapot-42';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A person who is signed in, and calls as their browser does. */
export interface SignedIn {
  readonly cookie: string;
  call(method: Method, url: string, payload?: InjectOptions['payload']): Promise<LightMyRequestResponse>;
}

interface Newcomer {
  readonly email: string;
  /** `operator` is also the owner, as the first person of an installation. */
  readonly role: MemberRole | 'operator';
  readonly ownerId: string;
  readonly workspaceIds?: readonly string[];
}

/** Makes a person by a link, as pages do, and signs them in. */
export async function signInPerson(
  { app, runtime }: { readonly app: FastifyInstance; readonly runtime: Runtime },
  { email, role, ownerId, workspaceIds }: Newcomer,
): Promise<SignedIn> {
  const database = runtime.database.kysely;
  const dependencies = { database, clock: runtime.clock, signIn: runtime.signIn };
  const { token } = await createLink(database, {
    kind: 'invitation',
    email,
    ownerId,
    role: role === 'operator' ? 'owner' : role,
    workspaceIds,
    createdBy: 'Test',
    now: runtime.clock.now(),
  });
  const entry = { token, name: email.split('@')[0] ?? '', password: testPassword };
  await acceptInvitation(dependencies, entry);
  if (role === 'operator') {
    await database.updateTable('person').set({ is_operator: true }).where('email', '=', email).execute();
  }
  // This acts as the page of the invitation does, so the browser is not a new one, which would cause a mail.
  const known = await runtime.signIn.issueKnownBrowser(email);
  const page = sameOriginAt(runtime.config.PUBLIC_URL);
  return signIn(app, email, { page, known: `${known.name}=${known.value}` });
}

/** The headers of a page. */
type Page = Readonly<Record<string, string>>;

/** Sign-ins are limited by address, so each has an address of its own. */
let signIns = 0;

interface Browser {
  readonly page?: Page;
  /** The cookie by which a browser is known. */
  readonly known?: string;
}

/** Signs a person in with the password of the tests. */
export async function signIn(app: FastifyInstance, email: string, browser: Browser = {}): Promise<SignedIn> {
  const { page = sameOrigin, known } = browser;
  signIns += 1;
  const answer = await app.inject({
    remoteAddress: `10.1.${signIns >> 8}.${signIns & 255}`,
    method: 'POST',
    url: '/dashboard/auth/sign-in/email',
    headers: { ...page, ...(known !== undefined && { cookie: known }) },
    payload: { email, password: testPassword },
  });
  return signedInBy(app, cookiesOf(answer.headers['set-cookie']), page);
}

/** Calls as the browser with these cookies does. */
export function signedInBy(app: FastifyInstance, cookie: string, page: Page = sameOrigin): SignedIn {
  return {
    cookie,
    call: (method, url, payload) =>
      app.inject({
        method,
        url,
        headers: { cookie, ...page },
        ...(payload !== undefined && { payload }),
      }),
  };
}

/** The headers of a browser's request from the dashboard's own page. */
export const sameOrigin = {
  origin: 'http://parley.example',
  host: 'parley.example',
  'sec-fetch-site': 'same-origin',
};

/** The same from the page of an installation with an address of its own. */
function sameOriginAt(publicUrl: string | undefined): Page {
  if (publicUrl === undefined) return sameOrigin;
  const { origin, host } = new URL(publicUrl);
  return { ...sameOrigin, origin, host };
}

export function cookiesOf(header: string | string[] | undefined): string {
  return [header ?? []]
    .flat()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .join('; ');
}
