import { expect, test } from 'vitest';
import { findSteps } from '../../../../../../server/dashboard/browser/screens/home/steps.ts';

const nothing = {
  ...{ workspaceName: 'Acme', indexedDocuments: 0, sureQuestion: null, channels: [], states: [] },
  ...{ members: ['Maya'], hasSecondFactor: false },
};

test('a fresh workspace has its name', () => {
  expect(findSteps(nothing)?.filter(({ isDone }) => isDone)).toEqual([
    { id: 'named', isDone: true, evidence: 'Acme' },
  ]);
});

test('each step ticks on its own evidence', () => {
  const done = (facts: object) =>
    findSteps({ ...nothing, ...facts })
      ?.filter(({ id, isDone }) => isDone && id !== 'named')
      .map(({ id, evidence }) => [id, evidence]);
  expect(done({ indexedDocuments: 3 })).toEqual([['document', '3']]);
  expect(done({ sureQuestion: 'Delivery to Germany?' })).toEqual([['answer', 'Delivery to Germany?']]);
  expect(done({ members: ['Maya', 'Ben'] })).toEqual([['colleague', 'Ben']]);
  expect(done({ hasSecondFactor: true })).toEqual([['second_factor', '']]);
});

test('nothing is shown as open while a part was not read', () => {
  for (const part of [
    'indexedDocuments',
    'sureQuestion',
    'channels',
    'states',
    'members',
    'hasSecondFactor',
  ]) {
    expect(findSteps({ ...nothing, [part]: undefined })).toBeNull();
  }
});
