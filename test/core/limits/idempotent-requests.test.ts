import type { Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  type Claim,
  IdempotentRequests,
  type StoredResponse,
} from '../../../core/limits/idempotent-requests.ts';
import { batchParameters, batchRows, prepareStatement } from '../../../core/storage/prepared-statements.ts';
import type { Tables } from '../../../core/storage/tables/tables.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { testStores } from '../../helpers/stores/test-stores.ts';

const minute = 60_000;
const hour = 60 * minute;
const response: StoredResponse = { status: 200, body: '{"answer":"Thirty days."}' };

describe.each(testEngines)('idempotent requests on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const time = { now: new Date('2026-03-01T10:00:00Z') };
  const clock = { now: () => time.now };
  const { workspaces, apiKeys, join } = testStores(database, clock);
  const { workspace } = await workspaces.create({ name: 'Test' });
  const keyId = (await apiKeys.create(workspace.id, { name: 'Test' })).apiKey.id;
  const otherKeyId = (await apiKeys.create(workspace.id, { name: 'Other' })).apiKey.id;

  const storeOf = (processId: string) =>
    new IdempotentRequests({ database: database.kysely, clock, processId });
  const one = storeOf((await join()).processes.id);
  const other = storeOf((await join()).processes.id);
  let made = 0;
  const newRequest = () => {
    made += 1;
    return { keyId, idempotencyKey: `retry-${made}`, requestHash: 'same' };
  };
  const completeIn = async (executor: Kysely<Tables>, claim: Claim | StoredResponse, by = one) => {
    const { kind, values, errorOf } = by.completing(claimOf(claim), response);
    const completing = prepareStatement(`select ${kind.expression} from ${batchRows(kind.columns)}`);
    await completing(executor, batchParameters([values])).catch((error: unknown) => {
      throw errorOf(error);
    });
  };
  const complete = (claim: Claim | StoredResponse, by = one) => completeIn(database.kysely, claim, by);
  const duplicate = { code: 'duplicate_request_id' };

  test('a completed request returns its stored response, in every process', async () => {
    const request = newRequest();
    const claim = await one.claim(request);
    expect(claim).toMatchObject({ keyId, idempotencyKey: request.idempotencyKey });
    await complete(claim);
    expect(await one.claim(request)).toEqual(response);
    expect(await other.claim(request)).toEqual(response);
  });

  test('a request in flight blocks repetitions, and its key blocks other bodies', async () => {
    const request = newRequest();
    const claim = await one.claim(request);
    for (const store of [one, other]) await expect(store.claim(request)).rejects.toMatchObject(duplicate);
    await complete(claim);
    await expect(other.claim({ ...request, requestHash: 'another' })).rejects.toMatchObject(duplicate);
  });

  test('idempotency keys of different API keys are independent', async () => {
    const request = newRequest();
    await complete(await one.claim(request));
    expect(await one.claim({ ...request, keyId: otherKeyId })).toHaveProperty('id');
  });

  test('one of fifty concurrent requests in two processes gets the claim', async () => {
    const request = newRequest();
    const claims = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => (index % 2 ? one : other).claim(request)),
    );
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a released request can be claimed again, also with another body', async () => {
    const request = newRequest();
    expect(await one.release(claimOf(await one.claim(request)))).toBeNull();
    expect(await other.claim({ ...request, requestHash: 'another' })).toHaveProperty('id');
  });

  test('a request released after its response was stored keeps and returns the response', async () => {
    const request = newRequest();
    const claim = await one.claim(request);
    await complete(claim);
    expect(await one.release(claimOf(claim))).toEqual(response);
    expect(await one.claim(request)).toEqual(response);
  });

  test('a released claim can neither complete the request nor release its successor', async () => {
    const request = newRequest();
    const first = await one.claim(request);
    await one.release(claimOf(first));
    const second = await one.claim(request);
    await expect(complete(first)).rejects.toMatchObject(duplicate);
    expect(await one.release(claimOf(first))).toBeNull();
    await complete(second);
    expect(await one.claim(request)).toEqual(response);
  });

  test('a response is not stored if its transaction is rolled back', async () => {
    const request = newRequest();
    const claim = await one.claim(request);
    const failed = database.kysely.transaction().execute(async (transaction) => {
      await completeIn(transaction, claim);
      throw new RangeError('on second thoughts');
    });
    await expect(failed).rejects.toThrow('on second thoughts');
    expect(await one.release(claimOf(claim))).toBeNull();
    expect(await one.claim(request)).toHaveProperty('id');
  });

  test('requests in flight of a dead process can be claimed once, and its stored responses stay', async () => {
    const dead = await join();
    const store = storeOf(dead.processes.id);
    const [request, answered] = [newRequest(), newRequest()];
    const claim = await store.claim(request);
    await complete(await store.claim(answered), store);
    await dead.processes.close();
    const takers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? one : other).claim(request)),
    );
    expect(takers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(complete(claim, store)).rejects.toMatchObject(duplicate);
    expect(await one.claim(answered)).toEqual(response);
  });

  test('a request in flight for longer than any request takes counts as lost', async () => {
    const request = newRequest();
    const begin = time.now;
    await one.claim(request);
    time.now = new Date(begin.getTime() + 2 * minute - 1);
    await expect(one.claim(request)).rejects.toMatchObject(duplicate);
    time.now = new Date(begin.getTime() + 2 * minute);
    expect(await one.claim(request)).toHaveProperty('id');
    time.now = begin;
  });

  test('a response expires after a day, and its row is deleted with the next new request', async () => {
    await database.kysely.deleteFrom('idempotent_request').execute();
    const [request, forgotten] = [newRequest(), newRequest()];
    const begin = time.now;
    await complete(await one.claim(request));
    await complete(await one.claim(forgotten));
    time.now = new Date(begin.getTime() + 24 * hour - 1);
    expect(await one.claim(request)).toEqual(response);
    time.now = new Date(begin.getTime() + 24 * hour);
    expect(await one.claim({ ...request, requestHash: 'another' })).toHaveProperty('id');
    const left = await database.kysely.selectFrom('idempotent_request').select('idempotency_key').execute();
    time.now = begin;
    expect(left).toEqual([{ idempotency_key: request.idempotencyKey }]);
  });
});

function claimOf(claimed: Claim | StoredResponse): Claim {
  if ('id' in claimed) return claimed;
  throw new TypeError('answered already');
}
