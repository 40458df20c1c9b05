import type {
  Skill,
  SkillCustomer,
  SkillEffect,
  SkillMoment,
  SkillOutcome,
} from '../../../contract/skill.ts';
import { findText, findTextLanguage } from '../../../language/localised-texts.ts';
import { isContactRequest, isLeadReply, isRefusal } from './lead-requests.ts';
import { findLead, groundArguments, type LeadState, parseLeadState } from './read-lead.ts';

const MAX_ATTEMPTS = 2;
const MAX_CONSENT_CHARACTERS = 500;
/** Contact details are recognisable by themselves, so they are awaited for several messages. */
const CONTACT_MESSAGES = 3;

/** Records the contact details that a visitor wrote, and asks for missing ones. */
export function collectLead(): Skill {
  return {
    name: 'collect_lead',
    description:
      'Takes down the name and the e-mail address or phone number of a visitor who wants to be contacted, called back, or sent a quote, an offer or a demo; asks for what is missing. Give only what the visitor wrote, exactly as they wrote it.',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: "The visitor's name, as they wrote it." },
        email: { type: 'string', description: "The visitor's own e-mail address, as they wrote it." },
        phone: { type: 'string', description: "The visitor's own phone number, as they wrote it." },
      },
      additionalProperties: false,
    },
    runsFor: 'everyone',
    trigger({ question, awaited }) {
      const state = parseLeadState(awaited);
      const isCalledFor = isContactRequest(question) || (state !== null && isLeadReply(question, state));
      return isCalledFor ? {} : null;
    },
    run: async (given, moment) => buildOutcome(given, moment, parseLeadState(moment.awaited)),
  };
}

function buildOutcome(given: unknown, moment: SkillMoment, state: LeadState | null): SkillOutcome {
  const wording = findText('lead', moment.language);
  if (state !== null && isRefusal(moment.question)) {
    return replyWith(state.captured === true ? wording.nameDeclined : wording.declined);
  }
  const lead = mergeLead(given, moment, state);
  const { email, phone } = moment.customer;
  if ((lead.email ?? email) !== email || (lead.phone ?? phone) !== phone) return capture(lead, moment, state);
  if (!isReachable(moment.customer)) return ask(lead, moment, state);
  const isNameAnswer = state?.captured === true && lead.name !== null;
  const says = isNameAnswer ? wording.nameNoted(lead.name) : wording.requestNoted;
  return replyWith(says, [captureEffect(lead, moment)]);
}

/** Returns the visitor's details. Arguments of a model count only if the visitor wrote them. */
function mergeLead(given: unknown, moment: SkillMoment, state: LeadState | null): SkillCustomer {
  const checked = groundArguments(given, moment);
  const found = findLead(moment, state);
  return {
    name: checked.name ?? found.name ?? state?.name ?? null,
    email: checked.email ?? found.email,
    phone: checked.phone ?? found.phone,
  };
}

function capture(lead: SkillCustomer, moment: SkillMoment, state: LeadState | null): SkillOutcome {
  const wording = findText('lead', moment.language);
  const details = [lead.name, lead.email, lead.phone].filter((value) => value !== null);
  const noted = wording.noted(new Intl.ListFormat(findTextLanguage('lead', moment.language)).format(details));
  const effect = captureEffect(lead, moment);
  const knowsName = lead.name !== null || moment.customer.name !== null;
  // The name is asked for once only: leaving it out is an answer.
  if (knowsName || state?.asked.includes('name') === true) return replyWith(noted, [effect]);
  const next: LeadState = { asked: ['name'], attempts: 1, captured: true };
  return replyWith(`${noted} ${wording.askForName}`, [effect, { kind: 'await', state: next, messages: 1 }]);
}

function ask({ name }: SkillCustomer, { language }: SkillMoment, state: LeadState | null): SkillOutcome {
  const wording = findText('lead', language);
  const attempts = (state?.attempts ?? 0) + 1;
  if (attempts > MAX_ATTEMPTS) return replyWith(wording.gaveUp);
  if (name === null) {
    const next: LeadState = { asked: ['name', 'contact'], attempts };
    return replyWith(wording.askForAll, [{ kind: 'await', state: next, messages: CONTACT_MESSAGES }]);
  }
  const next: LeadState = { asked: ['contact'], attempts, name };
  return replyWith(wording.askForContact(name), [{ kind: 'await', state: next, messages: CONTACT_MESSAGES }]);
}

function captureEffect(lead: SkillCustomer, { customer, question }: SkillMoment): SkillEffect {
  return {
    kind: 'capture_lead',
    lead: {
      name: lead.name ?? customer.name,
      email: lead.email ?? customer.email,
      phone: lead.phone ?? customer.phone,
    },
    consent: Array.from(question.trim()).slice(0, MAX_CONSENT_CHARACTERS).join(''),
  };
}

function replyWith(says: string, effects: readonly SkillEffect[] = []): SkillOutcome {
  return { reply: says, finding: null, effects };
}

function isReachable({ email, phone }: SkillCustomer): boolean {
  return email !== null || phone !== null;
}
