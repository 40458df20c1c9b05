import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findText } from '../../../core/language/localised-texts.ts';
import { nodeArguments } from '../../helpers/node-arguments.ts';

const part = z.record(z.string(), z.unknown());
const schema = z.object({ detected: z.string(), understood: part, missing: part, others: part });

const script = join(import.meta.dirname, 'use-georgian.ts');
const printed = execFileSync(process.execPath, [...nodeArguments, script], { encoding: 'utf8' });
const { detected, understood, missing, others } = schema.parse(JSON.parse(printed));

describe('a language that is added to the registry', () => {
  test('is detected by its letters', () => {
    expect(detected).toBe('ka');
  });

  test('is understood in the parts that it has', () => {
    expect(understood).toEqual({
      stopWord: true,
      person: true,
      bare: true,
      refusal: true,
      translation: 'when open?',
      signIn: 'გთხოვთ, შედით სისტემაში.',
    });
  });

  test('falls back where it has no part', () => {
    expect(missing).toEqual({
      smallTalk: null,
      reply: 'All right. What else would you like to know?',
      contact: false,
      questions: 1,
      followUp: false,
      fallback: findText('fallback', 'en'),
      handover: 'en',
    });
  });

  test('leaves the other languages as they are', () => {
    expect(others).toEqual({
      greeting: { kind: 'greeting', language: 'de' },
      person: true,
      chinese: 'zh',
    });
  });
});
