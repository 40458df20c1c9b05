import type { Skill, SkillCustomer, SkillEffect, SkillMoment, SkillOutcome } from '../../contract/skill.ts';
import { isContactRequest, isLeadReply, isRefusal } from './lead-requests.ts';
import { leadWording } from './lead-wording.ts';
import { findLead, groundArguments, type LeadState, parseLeadState } from './read-lead.ts';

const MOST_ATTEMPTS = 2;
const LONGEST_CONSENT = 500;
/** An address is known when it is seen: it may come after another question. */
const CONTACT_MESSAGES = 3;

/** Takes down how a visitor wants to be reached: what he said himself, and asks for what is missing. */
export function collectLead(): Skill {
  return {
    name: 'collect_lead',
    description:
      'Takes down the name and the e-mail address or phone number of a visitor who wants to be contacted, called back, or sent a quote, an offer or a demo; asks for what is missing. Give only what the visitor wrote himself, exactly as he wrote it.',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: "The visitor's name, as he wrote it." },
        email: { type: 'string', description: "The visitor's own e-mail address, as he wrote it." },
        phone: { type: 'string', description: "The visitor's own phone number, as he wrote it." },
      },
      additionalProperties: false,
    },
    runsFor: 'everyone',
    trigger({ question, awaited }) {
      const state = parseLeadState(awaited);
      const isCalledFor = isContactRequest(question) || (state !== null && isLeadReply(question, state));
      return isCalledFor ? {} : null;
    },
    run: async (given, moment) => outcome(given, moment, parseLeadState(moment.awaited)),
  };
}

function outcome(given: unknown, moment: SkillMoment, state: LeadState | null): SkillOutcome {
  const wording = leadWording(moment.language);
  if (state !== null && isRefusal(moment.question)) {
    return told(state.captured === true ? wording.nameDeclined : wording.declined);
  }
  const lead = leadOf(given, moment, state);
  const { email, phone } = moment.customer;
  if ((lead.email ?? email) !== email || (lead.phone ?? phone) !== phone) return capture(lead, moment, state);
  if (!isReachable(moment.customer)) return ask(lead, moment, state);
  const isNameTold = state?.captured === true && lead.name !== null;
  const says = isNameTold ? wording.nameNoted(lead.name) : wording.requestNoted;
  return told(says, [captureEffect(lead, moment)]);
}

/** What the visitor told of himself; a model may only have found what he said. */
function leadOf(given: unknown, moment: SkillMoment, state: LeadState | null): SkillCustomer {
  const checked = groundArguments(given, moment);
  const own = findLead(moment, state);
  return {
    name: checked.name ?? own.name ?? state?.name ?? null,
    email: checked.email ?? own.email,
    phone: checked.phone ?? own.phone,
  };
}

function capture(lead: SkillCustomer, moment: SkillMoment, state: LeadState | null): SkillOutcome {
  const wording = leadWording(moment.language);
  const details = [lead.name, lead.email, lead.phone].filter((value) => value !== null);
  const noted = wording.noted(new Intl.ListFormat(wording.language).format(details));
  const effect = captureEffect(lead, moment);
  const knowsName = lead.name !== null || moment.customer.name !== null;
  // Asked once is enough: who left it out does not want to tell.
  if (knowsName || state?.asked.includes('name') === true) return told(noted, [effect]);
  const next: LeadState = { asked: ['name'], attempts: 1, captured: true };
  return told(`${noted} ${wording.askForName}`, [effect, { kind: 'await', state: next, messages: 1 }]);
}

function ask({ name }: SkillCustomer, { language }: SkillMoment, state: LeadState | null): SkillOutcome {
  const wording = leadWording(language);
  const attempts = (state?.attempts ?? 0) + 1;
  if (attempts > MOST_ATTEMPTS) return told(wording.gaveUp);
  if (name === null) {
    const next: LeadState = { asked: ['name', 'contact'], attempts };
    return told(wording.askForAll, [{ kind: 'await', state: next, messages: CONTACT_MESSAGES }]);
  }
  const next: LeadState = { asked: ['contact'], attempts, name };
  return told(wording.askForContact(name), [{ kind: 'await', state: next, messages: CONTACT_MESSAGES }]);
}

function captureEffect(lead: SkillCustomer, { customer, question }: SkillMoment): SkillEffect {
  return {
    kind: 'capture_lead',
    lead: {
      name: lead.name ?? customer.name,
      email: lead.email ?? customer.email,
      phone: lead.phone ?? customer.phone,
    },
    consent: Array.from(question.trim()).slice(0, LONGEST_CONSENT).join(''),
  };
}

function told(says: string, effects: readonly SkillEffect[] = []): SkillOutcome {
  return { reply: says, finding: null, effects };
}

function isReachable({ email, phone }: SkillCustomer): boolean {
  return email !== null || phone !== null;
}
