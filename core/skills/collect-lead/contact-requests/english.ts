import { courtesies } from '../../courtesies.ts';
import type { RequestGrammar } from '../../request-grammar.ts';

const softly = '(?: (?:please|just|also|maybe|perhaps|possibly|kindly|really|now|still))*';
const someone =
  '(?:you|someone|somebody|anyone|one of you|a person|(?:a|an|the|your|one of your)(?: (?:sales|support|account|customer|success))*(?: (?:team|person|people|rep|representative|agent|manager|colleagues?|staff|advis[eo]r))?|sales)(?: (?:from|in|of) (?:the |your )?(?:sales|support|team|company|office)(?: team)?)?';
const contact =
  '(?:contact|call|phone|ring|e ?mail|text|reach out to|get back to|write(?: to)?|get in touch with|follow up with|reach)';
const contactMe = `${contact} (?:me|us)(?: back| up)?`;
const want = `(?:i|we)(?:${softly} (?:want|need|wish)|(?: would|'d)${softly} (?:like|love|appreciate))`;
const offer =
  '(?:(?:an?|your|the) )?(?:(?:free|live|personal|short|quick|written|custom|detailed|product|price|sales|non binding|individual) )*(?:quote|quotation|offer|proposal|estimate|demo|call ?back|return call|(?:phone |sales |video )?call|consultation)';
const obtain = '(?:get|have|receive|request|book|schedule|arrange|see|ask for|order|set up)';
const salesContact =
  '(?:contact|get in (?:touch|contact) with|be put in (?:touch|contact) with|hear from|be contacted by) (?:your |the |someone (?:from|in) )?(?:sales)(?: (?:team|department|rep|person|people))?';

/** How one asks in English to be called, written to or sent an offer. */
export const english: RequestGrammar = {
  ...courtesies.en,
  requests: [
    `(?:can|could|would|may)${softly} ${someone}${softly} ${contactMe}`,
    `(?:please|kindly|you (?:can|may|could)|feel free to|just|do)${softly} ${contactMe}`,
    `${contactMe}(?= *$| (?:,|at|on|under|via|by|please|tomorrow|today|asap|about|regarding|back|to discuss|as soon|when you can|mailaddress|\\+?\\p{N})(?: |$))`,
    `(?:please )?(?:have|let|get|ask|tell) ${someone} (?:to )?(?:contact|call|phone|ring|e ?mail|text|reach out to|get back to|write to|get in touch with|follow up with) (?:me|us)(?: back)?`,
    `${want} ${someone} to ${contactMe}`,
    `${want}(?: to)? be (?:contacted|called|phoned|called back)(?: by (?:phone|e ?mail|${someone}))?`,
    `${want}(?: to ${obtain})? ${offer}`,
    `${want} to ${salesContact}`,
    `(?:can|could|may|might) (?:i|we)${softly} ${obtain} ${offer}`,
    `(?:can|could|would|will) you${softly} (?:send|give|make|prepare|show|offer) (?:me|us) ${offer}`,
    `(?:please )?(?:send|give|make|prepare) (?:me|us) ${offer}`,
    `(?:please )?(?:send|e ?mail) ${offer} to mailaddress`,
    '(?:please )?(?:put|get) me in (?:touch|contact) with (?:your |the )?sales(?: team)?',
  ],
  tails: [
    'for|of|with|on|about|regarding|concerning|by|to|at|under|via (?:e ?mail|phone)|tomorrow|next|this (?:week|afternoon|morning|evening)|because|and|or|as soon|when you (?:can|have)|if (?:possible|you (?:can|could))|i|we|my|our|from (?:you|your|sales)|mailaddress|\\+?\\p{N}+|after|before|between|later|back',
  ],
  bare: [
    `(?:${obtain} )?${offer} please`,
    '(?:request|book|schedule|arrange|get) (?:a |an )?(?:demo|call ?back|quote|quotation|offer|sales call|consultation)',
    '(?:call|contact|phone|e ?mail) (?:me|us)(?: back)?|call ?back|contact sales',
  ],
};
