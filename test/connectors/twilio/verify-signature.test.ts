import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import twilio from 'twilio';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { verifySignature } from '../../../connectors/twilio/signature.ts';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { peersFile } from '../../helpers/platforms/peers-file.ts';
import { twilioAccount } from '../../helpers/platforms/twilio/account.ts';
import { twilioJsonRequest, twilioRequest } from '../../helpers/platforms/twilio/request.ts';

const account = twilioAccount();
const authToken = account.credentials.auth_token;
const url = 'https://parley.example/webhooks/chan_twilio';
const fields = {
  MessageSid: `SM${'1'.repeat(32)}`,
  From: '+15550002222',
  Body: 'Größe & Preis? 👋',
  To: '+15551234567',
};
const request = twilioRequest({ fields, authToken, url });

const changed = (changes: Partial<RawRequest>): RawRequest => ({ ...request, ...changes });
const withHeaders = (headers: RawRequest['headers']) =>
  changed({ headers: { ...request.headers, ...headers } });

describe('a request that Twilio signed', () => {
  test('is accepted if its fields and public address are signed with the auth token', () => {
    expect(verifySignature(request, account)).toBe(true);
  });

  test('is accepted behind a proxy that terminates TLS, removes part of the path and changes the host', () => {
    const behind = { ...account, webhookUrl: 'https://help.example/parley/webhooks/chan_twilio' };
    const asked = twilioRequest({ fields, authToken, url: `${behind.webhookUrl}?tone=kind` });
    const passedOn = {
      ...asked,
      path: '/webhooks/chan_twilio',
      headers: { ...asked.headers, host: '10.0.0.7:8080' },
    };
    expect(verifySignature(passedOn, behind)).toBe(true);
    expect(verifySignature({ ...passedOn, search: '?tone=rude' }, behind)).toBe(false);
  });

  test('is accepted if the public address has a port, and if Twilio signed it with one', () => {
    const port = { ...account, webhookUrl: 'https://parley.example:8443/webhooks/chan_twilio' };
    expect(verifySignature(twilioRequest({ fields, authToken, url: port.webhookUrl }), port)).toBe(true);
    const signed = twilioRequest({
      fields,
      authToken,
      url: 'https://parley.example:443/webhooks/chan_twilio',
    });
    const signature = twilio.getExpectedTwilioSignature(
      authToken,
      'https://parley.example:443/webhooks/chan_twilio',
      fields,
    );
    expect(
      verifySignature(
        { ...signed, headers: { ...signed.headers, 'x-twilio-signature': signature } },
        account,
      ),
    ).toBe(true);
  });

  test('is checked without the fragment of the configured address', () => {
    const overridden = { ...account, webhookUrl: `${url}#rc=3&rp=all` };
    expect(verifySignature(request, overridden)).toBe(true);
  });

  test('may contain a repeated field, in any order', () => {
    const many = new URLSearchParams([
      ['B', '2'],
      ['B', '1'],
      ['A', 'x'],
    ]);
    const signature = twilio.getExpectedTwilioSignature(authToken, url, { A: 'x', B: ['1', '2'] });
    const posted = changed({
      body: Buffer.from(many.toString()),
      headers: { ...request.headers, 'x-twilio-signature': signature },
    });
    expect(verifySignature(posted, account)).toBe(true);
  });

  test('may contain JSON whose digest is in the address', () => {
    const posted = twilioJsonRequest({ body: '{"property": "value"}', authToken, url: `${url}?foo=1` });
    expect(verifySignature(posted, account)).toBe(true);
    expect(verifySignature({ ...posted, body: Buffer.from('{"property": "other"}') }, account)).toBe(false);
  });

  test('may open a WebSocket, whose address is signed with its own scheme', () => {
    const signature = twilio.getExpectedTwilioSignature(authToken, url.replace('https', 'wss'), {});
    const opening = changed({
      method: 'GET',
      body: Buffer.from(''),
      headers: { 'x-twilio-signature': signature },
    });
    expect(verifySignature(opening, account, { socket: true })).toBe(true);
    expect(verifySignature(opening, account)).toBe(false);
  });
});

describe('a request that Twilio did not sign', () => {
  const forged: Readonly<Record<string, RawRequest>> = {
    'has no signature': withHeaders({ 'x-twilio-signature': undefined }),
    'has an empty one': withHeaders({ 'x-twilio-signature': '' }),
    'has one of another length': withHeaders({ 'x-twilio-signature': 'AAAA' }),
    'was signed with another token': twilioRequest({ fields, authToken: 'another', url }),
    'was signed for another address': twilioRequest({
      fields,
      authToken,
      url: 'https://other.example/webhooks/chan_twilio',
    }),
    'was signed for another channel': {
      ...twilioRequest({ fields, authToken, url: 'https://parley.example/webhooks/chan_other' }),
      path: '/webhooks/chan_twilio',
    },
    'has another field': changed({
      body: Buffer.from(new URLSearchParams({ ...fields, Body: 'no' }).toString()),
    }),
    'has one more field': changed({ body: Buffer.concat([request.body, Buffer.from('&X=1')]) }),
    'has a query that was not signed': changed({ query: { a: '1' }, search: '?a=1' }),
    'says that its form is something else': withHeaders({ 'content-type': 'text/plain' }),
    'has a body that no digest vouches for': {
      ...changed({ body: Buffer.from('{}') }),
      headers: {
        'content-type': 'application/json',
        'x-twilio-signature': twilio.getExpectedTwilioSignature(authToken, url, {}),
      },
    },
  };

  test.each(Object.entries(forged))('is refused: %s', (_what, posted) => {
    expect(verifySignature(posted, account)).toBe(false);
  });

  test('is any request if the public address is unknown', () => {
    expect(verifySignature(request, { ...account, webhookUrl: null })).toBe(false);
  });
});

const vectorFile = peersFile('payloads/twilio/signature-vectors.json');
const vectorsSchema = z.object({
  authToken: z.string(),
  url: z.string(),
  params: z.record(z.string(), z.string()),
  signature: z.string(),
  bodyCase: z.object({ body: z.string(), bodySHA256: z.string(), url: z.string(), signature: z.string() }),
});

/** A placeholder for missing vectors, whose tests are skipped. */
const unsigned = JSON.stringify({
  authToken: '',
  url: '',
  params: {},
  signature: '',
  bodyCase: { body: '', bodySHA256: '', url: '', signature: '' },
});

describe.skipIf(vectorFile === null)("Twilio's own vectors (PEERS_DIR)", () => {
  const vectors = vectorsSchema.parse(
    JSON.parse(vectorFile === null ? unsigned : readFileSync(vectorFile, 'utf8')),
  );
  /** The address of the vectors is not ours: its whole path takes the place of a prefix that a proxy removed. */
  const of = (signed: string) => {
    const { origin, pathname, search, searchParams } = new URL(signed);
    return {
      account: {
        id: 'chan_v',
        webhookUrl: `${origin}/webhooks/chan_v`,
        credentials: { ...account.credentials, auth_token: vectors.authToken },
      },
      place: { method: 'POST', path: pathname, search, query: Object.fromEntries(searchParams) },
    };
  };

  test('accepts the form', () => {
    const { account: signer, place } = of(vectors.url);
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': vectors.signature,
    };
    const body = Buffer.from(new URLSearchParams(vectors.params).toString());
    expect(verifySignature({ ...place, headers, body }, signer)).toBe(true);
    expect(verifySignature({ ...place, headers, body: body.subarray(1) }, signer)).toBe(false);
  });

  test('accepts the JSON body', () => {
    const { bodyCase } = vectors;
    expect(createHash('sha256').update(bodyCase.body).digest('hex')).toBe(bodyCase.bodySHA256);
    const { account: signer, place } = of(bodyCase.url);
    const headers = { 'content-type': 'application/json', 'x-twilio-signature': bodyCase.signature };
    const body = Buffer.from(bodyCase.body);
    expect(verifySignature({ ...place, headers, body }, signer)).toBe(true);
    expect(verifySignature({ ...place, headers, body: Buffer.from(`${bodyCase.body} `) }, signer)).toBe(
      false,
    );
  });
});
