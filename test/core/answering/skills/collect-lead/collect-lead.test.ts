import { describe, expect, test } from 'vitest';
import { collectLead } from '../../../../../core/answering/skills/collect-lead/collect-lead.ts';
import type { SkillMoment, SkillOutcome, SkillState } from '../../../../../core/contract/skill.ts';
import { skillMoment } from '../../../../helpers/models/skill-moment.ts';

const skill = collectLead();
const run = (question: string, told: Partial<SkillMoment> = {}, given: unknown = {}) =>
  skill.run(given, skillMoment(question, told));
const nobody = { name: null, email: null, phone: null };
const leadOf = ({ effects }: SkillOutcome) => effects.find((effect) => effect.kind === 'capture_lead')?.lead;
const stateOf = ({ effects }: SkillOutcome): SkillState | null =>
  effects.find((effect) => effect.kind === 'await')?.state ?? null;

describe('collect_lead', () => {
  test('asks an unknown visitor for name and contact details, and states the purpose', async () => {
    const outcome = await run('Can someone call me back?');
    expect(outcome.effects).toEqual([
      { kind: 'await', state: { asked: ['name', 'contact'], attempts: 1 }, messages: 3 },
    ]);
    expect(outcome.reply).toMatch(
      /your name and an e-mail address .* so that our team can get in touch with you/,
    );
  });

  test.each([
    ['de', 'damit unser Team sich bei Ihnen melden kann'],
    ['es', 'para que nuestro equipo pueda ponerse en contacto con usted'],
    ['fr', 'afin que notre équipe puisse vous contacter'],
    ['xx', 'so that our team can get in touch with you'],
  ])('states the purpose of the data in %s', async (language, purpose) => {
    expect((await run('Rufen Sie mich bitte zurück', { language })).reply).toContain(purpose);
    expect((await run('ann@example.com', { language })).reply).toContain(purpose);
  });

  test("stores contact details at once with the visitor's words, and asks for the name", async () => {
    const words = "I'd like a quote for 50 seats, my email is ann@example.com";
    const outcome = await run(words);
    expect(outcome.effects).toEqual([
      { kind: 'capture_lead', lead: { ...nobody, email: 'ann@example.com' }, consent: words },
      { kind: 'await', state: { asked: ['name'], attempts: 1, captured: true }, messages: 1 },
    ]);
    expect(outcome.reply).toContain('I have noted ann@example.com');
    expect(outcome.reply).toContain('What is your name');
  });

  test('asks nothing if one message has name and contact details', async () => {
    const outcome = await run(
      'My name is Ann Smith, please call me back at +49 30 1234567 or ann@example.com',
    );
    expect(leadOf(outcome)).toEqual({ name: 'Ann Smith', email: 'ann@example.com', phone: '+49 30 1234567' });
    expect(stateOf(outcome)).toBeNull();
    expect(outcome.reply).toContain('Ann Smith, ann@example.com, and +49 30 1234567');
  });

  test('keeps a name that was given before the contact details', async () => {
    const first = await run('Please call me back');
    const second = await run('Ann Smith', { awaited: stateOf(first) });
    expect(second.effects).toEqual([
      { kind: 'await', state: { asked: ['contact'], attempts: 2, name: 'Ann Smith' }, messages: 3 },
    ]);
    const third = await run('030 1234567', { awaited: stateOf(second) });
    expect(leadOf(third)).toEqual({ name: 'Ann Smith', email: null, phone: '030 1234567' });
    expect(stateOf(third)).toBeNull();
  });

  test('adds a name that is given afterwards', async () => {
    const awaited = { asked: ['name'], attempts: 1, captured: true };
    const customer = { ...nobody, email: 'ann@example.com' };
    const outcome = await run('Ann Smith', { awaited, customer });
    expect(leadOf(outcome)).toEqual({ name: 'Ann Smith', email: 'ann@example.com', phone: null });
    expect(outcome.reply).toContain('Thank you, Ann Smith');
    expect(stateOf(outcome)).toBeNull();
  });

  test('does not ask for the name again', async () => {
    const outcome = await run('ann@example.com', { awaited: { asked: ['name', 'contact'], attempts: 1 } });
    expect(leadOf(outcome)).toEqual({ ...nobody, email: 'ann@example.com' });
    expect(stateOf(outcome)).toBeNull();
  });

  test('asks twice at most', async () => {
    const first = await run('Please call me back');
    const second = await run('Please call me back', { awaited: stateOf(first) });
    expect(stateOf(second)).toMatchObject({ attempts: 2 });
    const third = await run('Please call me back', { awaited: stateOf(second) });
    expect(third.effects).toEqual([]);
    expect(third.reply).toContain('cannot get in touch');
  });

  test('confirms to a visitor who declines that nothing was stored', async () => {
    const outcome = await run('no thanks', { awaited: { asked: ['name', 'contact'], attempts: 1 } });
    expect(outcome).toEqual({
      reply: 'All right. I have not noted any contact details.',
      finding: null,
      effects: [],
    });
  });

  test('does not claim that nothing was stored if only the name is refused', async () => {
    const awaited = { asked: ['name'], attempts: 1, captured: true };
    const outcome = await run('no thanks', { awaited, customer: { ...nobody, email: 'ann@example.com' } });
    expect(outcome.reply).toContain('Our team will get in touch');
    expect(outcome.effects).toEqual([]);
  });

  test('asks a known visitor for nothing and does not repeat stored details', async () => {
    const customer = { name: 'Ann', email: 'ann@example.com', phone: null };
    const outcome = await run('I want a quote', { customer, userId: 'u1' });
    expect(outcome.effects).toEqual([{ kind: 'capture_lead', lead: customer, consent: 'I want a quote' }]);
    expect(outcome.reply).not.toContain('ann@example.com');
  });

  test("uses the visitor's own details from earlier messages, not another person's", async () => {
    const own = await run('Please call me back', {
      earlierQuestions: ['Hi, my phone number is 030 1234567'],
    });
    expect(leadOf(own)?.phone).toBe('030 1234567');
    const foreign = await run('Please call me back', { earlierQuestions: ['Did bob@example.com get it?'] });
    expect(leadOf(foreign)).toBeUndefined();
    const invited = await run("I can't invite bob@example.com, please call me back");
    expect(leadOf(invited)).toBeUndefined();
  });

  test('limits the consent text to 500 characters', async () => {
    const { effects } = await run(`Please contact me at ann@example.com. ${'x'.repeat(600)}`);
    const [effect] = effects;
    expect(effect?.kind === 'capture_lead' && effect.consent.length).toBe(500);
  });
});

describe('arguments of a model', () => {
  const question = 'Could the team get back to Ann SMITH at Ann@Example.com or 030-123 45 67?';

  test("count if they occur in the visitor's messages, and are stored as written", async () => {
    const given = { name: 'ann smith', email: 'ann@example.COM', phone: '0301234567' };
    expect(leadOf(await run(question, {}, given))).toEqual({
      name: 'ann smith',
      email: 'Ann@Example.com',
      phone: '030-123 45 67',
    });
  });

  test('are dropped if the visitor never wrote them', async () => {
    const given = { name: 'Bob Jones', email: 'ann@example.co', phone: '0301234568' };
    const outcome = await run('I want more', {}, given);
    expect(leadOf(outcome)).toBeUndefined();
    expect(stateOf(outcome)).toEqual({ asked: ['name', 'contact'], attempts: 1 });
  });

  test("are dropped if they are only a part of the visitor's words", async () => {
    const given = { name: 'Ann Smit', email: 'n@example.com', phone: '1234567' };
    expect(
      leadOf(await run(question.replace('Could', 'My colleague asks: could'), {}, given))?.name,
    ).not.toBe('Ann Smit');
    expect(leadOf(await run('xann@example.com', {}, { email: 'ann@example.com' }))?.email).not.toBe(
      'ann@example.com',
    );
  });

  test.each([[null], ['x'], [{ name: 5, email: {}, phone: [] }], [{ email: '' }], [undefined]])(
    '%j is no argument, and no failure',
    async (given) => {
      expect((await run('I want more', {}, given)).effects).toHaveLength(1);
    },
  );
});

describe('the trigger', () => {
  const awaited = { asked: ['name', 'contact'], attempts: 1 };

  test.each([
    'ann@example.com',
    'sure, ann@example.com',
    'Ann, ann@example.com. How long will it take?',
    '030 1234567',
    'Ann Smith',
    'my name is Ann',
    'no thanks',
    'nein danke',
    'never mind',
  ])("matches an answer to the skill's question: %s", (question) => {
    expect(skill.trigger(skillMoment(question, { awaited }))).toEqual({});
  });

  test.each([
    'How much is the Growth plan?',
    'Does support@example.com still work?',
    'Refund policy',
    'garden hoses',
    'What happens to order 12345678?',
    'Why do you need that',
    'My name is wrong on the invoice, how do I change it?',
  ])('leaves other questions to the documents: %s', (question) => {
    expect(skill.trigger(skillMoment(question, { awaited }))).toBeNull();
  });

  test('does not treat a name as an answer to a request for contact details', () => {
    const contactOnly = { asked: ['contact'], attempts: 2, name: 'Ann' };
    expect(skill.trigger(skillMoment('Smith', { awaited: contactOnly }))).toBeNull();
  });

  test.each(['ann@example.com', 'Ann Smith', 'no thanks'])(
    'does not match if nothing was asked: %s',
    (question) => {
      expect(skill.trigger(skillMoment(question))).toBeNull();
      expect(skill.trigger(skillMoment(question, { awaited: { other: 1 } }))).toBeNull();
    },
  );
});
