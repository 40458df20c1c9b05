import type { Account } from '../core/contract/account.ts';
import type { Facets, SpeakingWindow, Streaming, Tenancy } from '../core/contract/facets.ts';

type Read<Credentials, Settings> = (account: Account) => Account<Credentials, Settings>;

/** The facets that a connector has, for accounts that are not yet read. */
export function defineFacets<Credentials, Settings>(
  facets: Facets<Credentials, Settings>,
  read: Read<Credentials, Settings>,
): Facets<unknown, unknown> {
  const {
    acknowledge,
    begin,
    streaming,
    window,
    tenancy,
    guide,
    prepare,
    welcome,
    earlier,
    introduce,
    fetchFile,
    findSent,
    hasInbox,
    staleAfterMs,
    outcome,
    typing,
    enrol,
    retire,
  } = facets;
  return {
    ...(acknowledge && {
      acknowledge: (native, account, tools) => acknowledge(native, read(account), tools),
    }),
    ...(begin && { begin: (addressee, account) => begin(addressee, read(account)) }),
    ...(streaming && { streaming: defineStreaming(streaming, read) }),
    ...(window && { window: defineWindow(window, read) }),
    ...(tenancy && { tenancy: defineTenancy(tenancy, read) }),
    ...(guide && { guide: (facts) => guide(facts) }),
    ...(prepare && { prepare: (account, tools) => prepare(read(account), tools) }),
    ...(welcome && { welcome: (to, account, tools) => welcome(to, read(account), tools) }),
    ...(earlier && { earlier: (joined, account, tools) => earlier(joined, read(account), tools) }),
    ...(introduce && { introduce: (person, account, tools) => introduce(person, read(account), tools) }),
    ...(hasInbox && { hasInbox }),
    ...(fetchFile && {
      fetchFile: (reference, account, tools) => fetchFile(reference, read(account), tools),
    }),
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
    ...(enrol && { enrol: (account, tools) => enrol(read(account), tools) }),
    ...(retire && { retire: (account, tools) => retire(read(account), tools) }),
  };
}

function defineStreaming<Credentials, Settings>(
  streaming: Streaming<Credentials, Settings>,
  read: Read<Credentials, Settings>,
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
  window: SpeakingWindow<Credentials, Settings>,
  read: Read<Credentials, Settings>,
): SpeakingWindow<unknown, unknown> {
  return {
    lastsMs: window.lastsMs,
    because: window.because,
    applies: (to, account) => window.applies(to, read(account)),
    instead: (reply, to, account) => window.instead(reply, to, read(account)),
    isTimeless: (part) => window.isTimeless(part),
  };
}

function defineTenancy<Credentials, Settings>(
  { tenantOf, oauth }: Tenancy<Credentials, Settings>,
  read: Read<Credentials, Settings>,
): Tenancy<unknown, unknown> {
  return {
    tenantOf: (account) => tenantOf(read(account)),
    oauth: oauth && {
      authoriseUrl: (account, back) => oauth.authoriseUrl(read(account), back),
      exchange: (grant, account, tools) => oauth.exchange(grant, read(account), tools),
    },
  };
}
