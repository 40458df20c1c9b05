import type { ContactWords, RequestForms } from '../../requests.ts';

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

/** English requests to be called, written to or sent an offer. */
export const contactRequests: RequestForms = {
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
export const contactWords: ContactWords = {
  technical: 'api|webhooks?|endpoints?|functions?|urls?|sdk|code|curl|json|widgets?|parameters?',
  questions: 'how|what|when|where|who|why|which|do|does|did|is|are',
  refusals:
    "no|nope|nah|never ?mind|forget it|not (?:now|today|interested|necessary|needed)|no need|skip|cancel|stop|leave it|(?:i'd|i would) (?:rather|prefer) not(?: to)?|(?:i )?(?:don't|do not) (?:want|wish|like)(?: to| that)?|(?:i )?prefer not(?: to)?|(?:i )?(?:won't|will not|can't|cannot)",
  refusedDetails:
    'to|give|share|tell|leave|say|provide|do|you|that|this|it|my|any|the|e ?mail|mail|address|phone|number|name|data|details|contact',
  greetings: "hi|hello|hey|sure|yes|ok(?:ay)?|it's|the name is",
  nameCues: { sure: "my (?:full )?name(?:'s| is)|name ?:", likely: "i am|i'm|this is" },
  notNames: `yes no yeah yep nope ok okay sure thanks thank hi hello hey please sorry maybe fine good great cool
    nothing none anonymous never stop cancel skip later now not wrong incorrect misspelled interested
    looking happy unhappy sad angry confused stuck lost waiting trying having using calling writing asking
    new sick back here there ready able i you he she it we they me my your our his her this that these those
    a an the and or but if of on in at to for from by with without about as is are was were be been am do
    does did have has had can could would should might must want need like get got give tell know see call
    contact email mail phone number name address what when where who why how which help support human person
    agent price prices pricing cost plan plans quote offer demo refund refunds policy invoice invoices order
    orders password login reset account billing shipping delivery cancel subscription trial export import
    api integration question problem issue error bug opening hours free customer user users team company
    test urgent english german french spanish dutch italian american british`,
  own: "my|me|mine|i'm|us|our",
  otherOwners: 'invit|\\badd|remov|delet|user|colleague|customer|client',
  phone: '(?:tele)?phone|\\b(?:tel|call|ring|reach|text|sms|cell|mobile|fax|whatsapp|signal)\\b',
  numberOwner: 'my',
  numberNoun: 'number',
  otherNumbers:
    'order|invoice|ticket|\\bcase\\b|\\bref|tracking|serial|account|customer|number of|\\bid\\b|iban|\\bzip\\b|postal|\\bvat\\b|version|\\bfrom\\b.{0,80}\\bto\\b',
};
