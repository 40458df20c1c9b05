import { expect, test } from 'vitest';
import {
  type Place,
  readPlace,
  writePlace,
} from '../../../../../../server/dashboard/browser/screens/inbox/views/address.ts';

test('a list of conversations is the same after its address is read again', () => {
  const place: Place = {
    filters: {
      ...{ view: 'all', tag: ['a,b', 'c&d'], user_id: 'cust-7', session_id: 's 1', channel_id: 'chan_1' },
      metadata: { 'order=no': 'A-1, B', step: '' },
    },
    ...{ sort: 'latest', saved: 'view_1' },
  };
  expect(readPlace(writePlace(place))).toEqual(place);
});

test('unknown values of an address are left out', () => {
  const values = { view: 'gone', status: 'open,lost', sort: 'size', feedback: 'maybe' };
  expect(readPlace(values)).toEqual({
    filters: { view: 'waiting', status: ['open'] },
    ...{ sort: undefined, saved: undefined },
  });
});
