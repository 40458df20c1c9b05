import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Rule {
  readonly name: string;
  readonly call: RegExp;
  /** The files that may call it, and why there is no caller whose rights it could pass. */
  readonly allowed: Readonly<Record<string, string>>;
}

/** Functions that reach whatever an id leads to. Everything else passes an `Authority`. */
const rules: readonly Rule[] = [
  {
    name: 'the authority of the operator’s token',
    call: /\bAuthority\.operator\(/,
    allowed: {
      'server/plugins/operator-access.ts': 'the token was compared there',
      'core/channels/installs.ts':
        'a link stands for the right of its maker, and the platform proves the team',
      'core/demo/open-demo.ts': 'the process fills its own workspace',
    },
  },
  {
    name: 'the authority of a session',
    call: /\bAuthority\.session\(/,
    allowed: { 'server/plugins/operator-access.ts': 'the session was loaded there' },
  },
  {
    name: 'a parent of any owner',
    call: /\b(?:findParents?|inheritFromParent|lendParent)\(/,
    allowed: {
      'core/channels/accounts/parent-channels.ts': 'its home',
      'core/channels/channels.ts': 'after `requireParent`, or of a stored child',
      'core/channels/accounts/channel-changes.ts': 'of a stored child',
      'core/channels/channel-view.ts': 'of a stored child',
      'core/channels/accounts/channel-accounts.ts': 'of a stored child',
      'core/channels/installs.ts': 'after `findUsableParent`',
    },
  },
  {
    name: 'a workspace by its id alone',
    call: /\bworkspaces\.(?:find|get)\(/,
    allowed: {
      'server/admin/operator-route.ts': 'the path, followed by the check of the permission',
      'server/admin/live/events.ts': 'the workspace of the path, again',
      'server/admin/workspaces/routes.ts': 'whose settings are copied, followed by the check of the rights',
      'server/hosted/page-session.ts': 'the workspace of a page',
      'server/widget/chat-entry.ts': 'the workspace of a widget',
      'server/nlweb/public-workspace.ts': 'a workspace that is public',
      'server/webhooks/webhooks.ts': 'the workspace of a channel whose platform signed the request',
      'core/evaluation/run-slice.ts': 'the workspace of a stored run',
      'core/tickets/run-import-slice.ts': 'the workspace of a stored import',
      'core/evaluation/gaps/sort-questions.ts': 'the workspace of a job, which names no other',
      'core/evaluation/gaps/check-gap.ts': 'the workspace of a stored gap',
      'core/limits/admission.ts': 'compared with the owner of the API key',
      'core/demo/open-demo.ts': 'the workspace of the demo',
    },
  },
  {
    name: 'any person of the installation',
    call: /\bmembers\.(?:findPerson|findByEmail|listPersons|removePerson)\(/,
    allowed: {
      'server/plugins/operator-access.ts': 'the person of the session',
      'server/admin/live/events.ts': 'the person of the session',
      'server/admin/members/routes.ts': 'a member, to see whether they have rights elsewhere',
      'server/admin/persons/routes.ts': 'for operators of the installation',
      'server/dashboard/audit-sign-in.ts': 'the person who signs in',
      'server/dashboard/library-routes.ts': 'the person of the session',
      'server/dashboard/member-mail.ts': 'the person who forgot their password',
      'server/dashboard/prove.ts': 'the person of the session',
      'server/dashboard/sign-in.ts': 'the person who signs in',
    },
  },
  {
    name: 'a link for the password of somebody',
    call: /\bcreateRecoveryLink\(/,
    allowed: {
      'core/members/recovery.ts': 'its home',
      'server/admin/members/routes.ts': 'after the member was found under the authority',
      'server/admin/persons/routes.ts': 'for operators of the installation',
      'server/dashboard/member-mail.ts': 'by mail to the person themselves',
    },
  },
  {
    name: 'the channels of all workspaces',
    call: /\bchannels\.all\(/,
    allowed: {
      'core/health/doctor.ts': 'for operators of the installation',
      'core/channels/queue-overview.ts': 'for operators of the installation',
    },
  },
];

/** Returns each call that a rule forbids in this file. */
function findUnscoped(file: string, source: string): string[] {
  return rules
    .filter(({ call, allowed }) => call.test(source) && !(file in allowed))
    .map(({ name }) => `${file}: ${name}`);
}

const files = globSync('{core,server,workers,connectors}/**/*.ts').filter(
  (file) => !file.startsWith('server/dashboard/browser/'),
);

describe('functions that load what any id leads to', () => {
  test('are called in the listed files only', () => {
    expect(files.length).toBeGreaterThan(400);
    expect(files.flatMap((file) => findUnscoped(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  test.each([
    ['a parent of any owner', 'const parent = await findParent(stores, { parent_id: body.parent });'],
    ['a workspace by its id alone', 'const second = await runtime.workspaces.find(request.body.workspace);'],
    ['any person of the installation', 'await members.findPerson(request.query.person);'],
    ['a link for the password of somebody', 'await createRecoveryLink(stores, { email, actor });'],
    ['the authority of the operator’s token', 'channels.create(Authority.operator(workspace), body);'],
    ['the authority of a session', 'Authority.session(roles, proof, other);'],
    ['the channels of all workspaces', 'return channels.all();'],
  ])('are found where a route calls them: %s', (name, source) => {
    expect(findUnscoped('server/admin/planted.ts', source)).toEqual([`server/admin/planted.ts: ${name}`]);
  });

  test('are still called in each file that may', () => {
    const unused = rules.flatMap(({ name, call, allowed }) =>
      Object.keys(allowed)
        .filter((file) => !call.test(readFileSync(file, 'utf8')))
        .map((file) => `${file}: ${name}`),
    );
    expect(unused).toEqual([]);
  });
});
