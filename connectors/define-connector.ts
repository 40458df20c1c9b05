import type { Account } from '../core/contract/account.ts';
import type { AnyConnector, Connector } from '../core/contract/connector.ts';
import type { Facets, MessagingWindow, Streaming, Tenancy } from '../core/contract/facets.ts';

/**
 * Hides the types of a channel's credentials and settings. Accounts come from the database and are parsed here by the
 * channel's own schemas, once for each object. Throws a ZodError if the schemas reject an account, which does not happen
 * for accounts that this version stored.
 */
export function defineConnector<Credentials, Settings>(
  connector: Connector<Credentials, Settings>,
): AnyConnector {
  const { about, manifest, webhook, listen, socket, facets } = connector;
  const parsedAccounts = new WeakMap<Account, Account<Credentials, Settings>>();
  const read = (account: Account): Account<Credentials, Settings> => {
    const cached = parsedAccounts.get(account);
    if (cached !== undefined) return cached;
    const credentials = manifest.credentials.parse(account.credentials);
    const parsed = { ...account, credentials, settings: manifest.settings.parse(account.settings) };
    parsedAccounts.set(account, parsed);
    return parsed;
  };
  return {
    about,
    manifest,
    intakeOf: (account) => connector.intakeOf(read(account)),
    webhook: webhook && {
      ...(webhook.greet && { greet: webhook.greet }),
      verify: (request, account, now) => webhook.verify(request, read(account), now),
      read: (request, account) => webhook.read(request, read(account)),
    },
    listen: listen && ((account, tools) => listen(read(account), tools)),
    ...(socket && {
      socket: {
        verify: (request, account, now) => socket.verify(request, read(account), now),
        serve: (opened, account, tools) => socket.serve(opened, read(account), tools),
      },
    }),
    probe: (account, tools) => connector.probe(read(account), tools),
    normalise: (native, account, receivedAt) => connector.normalise(native, read(account), receivedAt),
    render: (reply, to, account) => connector.render(reply, to, read(account)),
    deliver: (part, to, account, tools) => connector.deliver(part, to, read(account), tools),
    budgets: (to, account) => connector.budgets(to, read(account)),
    facets: defineFacets(facets, read),
  };
}

type AccountReader<Credentials, Settings> = (account: Account) => Account<Credentials, Settings>;

/** The facets that ask the platform for something. */
function defineFetching<Credentials, Settings>(
  { fetchThreadContext, fetchSenderProfile, fetchFile }: Facets<Credentials, Settings>,
  read: AccountReader<Credentials, Settings>,
): Pick<Facets<unknown, unknown>, 'fetchThreadContext' | 'fetchSenderProfile' | 'fetchFile'> {
  return {
    ...(fetchThreadContext && {
      fetchThreadContext: (joined, account, tools) => fetchThreadContext(joined, read(account), tools),
    }),
    ...(fetchSenderProfile && {
      fetchSenderProfile: (person, account, tools) => fetchSenderProfile(person, read(account), tools),
    }),
    ...(fetchFile && {
      fetchFile: (reference, account, tools) => fetchFile(reference, read(account), tools),
    }),
  };
}

/** Wraps the facets of a connector so that they accept accounts that are not parsed yet. */
export function defineFacets<Credentials, Settings>(
  facets: Facets<Credentials, Settings>,
  read: AccountReader<Credentials, Settings>,
): Facets<unknown, unknown> {
  const {
    acknowledge,
    startConversation,
    sendMail,
    streaming,
    window,
    tenancy,
    guideValues,
    prepare,
    welcome,
    files,
    findSent,
    hasInbox,
    staleAfterMs,
    outcome,
    typing,
    registerWebhook,
    unregisterWebhook,
  } = facets;
  return {
    ...(acknowledge && {
      acknowledge: (native, account, tools) => acknowledge(native, read(account), tools),
    }),
    ...(startConversation && {
      startConversation: (addressee, account) => startConversation(addressee, read(account)),
    }),
    ...(sendMail && { sendMail: (mail, account, tools) => sendMail(mail, read(account), tools) }),
    ...(streaming && { streaming: defineStreaming(streaming, read) }),
    ...(window && { window: defineWindow(window, read) }),
    ...(tenancy && { tenancy: defineTenancy(tenancy, read) }),
    ...(guideValues && { guideValues: (facts) => guideValues(facts) }),
    ...(prepare && { prepare: (account, tools) => prepare(read(account), tools) }),
    ...(welcome && { welcome: (to, account, tools) => welcome(to, read(account), tools) }),
    ...defineFetching(facets, read),
    ...(hasInbox && { hasInbox }),
    ...(files && { files }),
    ...(findSent && { findSent: (sought, account, tools) => findSent(sought, read(account), tools) }),
    ...(staleAfterMs && { staleAfterMs: (account) => staleAfterMs(read(account)) }),
    ...(outcome && {
      outcome: {
        afterMs: outcome.afterMs,
        ask: (messageId, account, tools) => outcome.ask(messageId, read(account), tools),
      },
    }),
    ...(typing && {
      typing: {
        lastsMs: typing.lastsMs,
        ...(typing.marksRead !== undefined && { marksRead: typing.marksRead }),
        show: (to, account, tools) => typing.show(to, read(account), tools),
      },
    }),
    ...(registerWebhook && { registerWebhook: (account, tools) => registerWebhook(read(account), tools) }),
    ...(unregisterWebhook && {
      unregisterWebhook: (account, tools) => unregisterWebhook(read(account), tools),
    }),
  };
}

function defineStreaming<Credentials, Settings>(
  streaming: Streaming<Credentials, Settings>,
  read: AccountReader<Credentials, Settings>,
): Streaming<unknown, unknown> {
  return {
    everyMs: streaming.everyMs,
    applies: (to, account) => streaming.applies(to, read(account)),
    begin: (beginning, account, tools) => streaming.begin(beginning, read(account), tools),
    show: (more, account, tools) => streaming.show(more, read(account), tools),
    end: (ending, account, tools) => streaming.end(ending, read(account), tools),
    discard: (draft, to, account, tools) => streaming.discard(draft, to, read(account), tools),
  };
}

function defineWindow<Credentials, Settings>(
  window: MessagingWindow<Credentials, Settings>,
  read: AccountReader<Credentials, Settings>,
): MessagingWindow<unknown, unknown> {
  return {
    lastsMs: window.lastsMs,
    reason: window.reason,
    appliesTo: (to, account) => window.appliesTo(to, read(account)),
    renderTemplate: (reply, to, account) => window.renderTemplate(reply, to, read(account)),
    isTimeless: (part) => window.isTimeless(part),
  };
}

function defineTenancy<Credentials, Settings>(
  { tenantOf, appCredentials, oauth }: Tenancy<Credentials, Settings>,
  read: AccountReader<Credentials, Settings>,
): Tenancy<unknown, unknown> {
  return {
    tenantOf: (account) => tenantOf(read(account)),
    appCredentials,
    oauth: oauth && {
      authoriseUrl: (account, back) => oauth.authoriseUrl(read(account), back),
      exchange: (grant, account, tools) => oauth.exchange(grant, read(account), tools),
    },
  };
}
