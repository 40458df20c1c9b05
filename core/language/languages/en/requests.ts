import { wordList } from '../../patterns.ts';
import type { Courtesies, RequestForms } from '../../requests.ts';

export const courtesies: Courtesies = {
  openers: wordList(
    'hi hey hello there ok okay please pls plz well then so nope yes thanks sorry just now right',
    [
      'good (?:morning|afternoon|evening|day)',
      'thank you',
      'excuse me',
      'no(?= ,| i )',
      'in that case',
      "(?:this|that) (?:is|does)(?:n't| not) help(?:ful|ing)?(?: me)?",
      'i (?:said|repeat)',
    ],
  ),
  links: wordList('and but so because or otherwise instead'),
  closers: wordList('please pls plz now asap thanks immediately instead here today urgently again', [
    'right (?:now|away)',
    'thank you',
    'for once',
    'at last',
  ]),
};

const kind =
  '(?:real|actual|live|living|human|support|customer|service|care|sales|technical|tech|proper|qualified|different|competent|responsible|billing)';
const noun =
  '(?:human(?: being)?|person|agent|representative|rep|operator|advis[eo]r|employee|staff member|colleague|team member|manager|supervisor|technician|consultant|specialist|salesperson|member of (?:staff|(?:your|the) (?:team|staff)))';
const one = `(?:(?:an?|the|your|some|another|any|one of (?:your|the)) )?(?:${kind} )*${noun}`;
const people = `(?:(?:real|actual|live) (?:people|humans)|humans|one of your (?:${kind} )*(?:people|team|staff|colleagues|agents)|your (?:${kind} )*(?:agents|people|colleagues))`;
const someone =
  '(?:someone|somebody|anyone|anybody)(?: (?:real|human|else|responsible|in charge|from (?:your|the) (?:\\p{L}+ )?(?:team|staff|company|support)|from (?:support|sales|billing)))?';
const desk =
  '(?:(?:your|the) )?(?:customer (?:service|support|care)|(?:technical |tech |human |live )?support(?: (?:team|staff|desk|people))?|help ?desk|(?:sales|service|customer|billing|success) team|sales|staff|team)';
const person = `(?:${one}|${people}|${someone})`;
const anybody = `(?:${person}|${desk})`;

const talk = '(?:talk|speak|chat)(?: (?:directly|live|now|here))? (?:to|with|w)';
const reach = `(?:${talk}|get (?:hold of|in touch with|through to|in contact with)|reach|contact|have a (?:chat|word|conversation) with|be (?:connected|transferred|forwarded|handed over|passed|put through|redirected|switched) (?:on to|over to|to|with))`;
const hand = '(?:connect|transfer|forward|hand|pass|put|switch|redirect|escalate|direct|refer)';
const handOver = `${hand} (?:me|us|this|it|the (?:chat|conversation))(?: (?:over|through|on|directly))? (?:to|with|in touch with|in contact with) ${anybody}`;
const softly = '(?: (?:please|just|really|only|still|also|now|maybe|perhaps|possibly|simply|finally))*';
const want = `(?:i|we)(?:${softly} (?:want|need|wish|prefer|demand|insist on)|(?: would|'d)${softly} (?:like|love|prefer))`;
const wantTo = `(?:${want} to|(?:i|we)(?: would|'d) (?:much )?rather|i wanna|(?:i|we)(?: really)? (?:must|have to|gotta)|let me|allow me to)${softly}`;
const may = `(?:can|could|may|might|can't|cannot|couldn't|why can't|why can)(?: not)? (?:i|we)${softly}`;
const howTo = 'how (?:can|could|do|would|may) (?:i|we) (?:actually |finally )?';
const would = `(?:can|could|would|will) you${softly}`;
const forMe = '(?: (?:to|who|that) (?:help|talk|speak|assist|answer|understand|can|could|speaks|knows)\\b)?';

/** How a person is asked for in English. */
export const personRequests: RequestForms = {
  requests: [
    `${wantTo} (?:${reach}|see|have) ${anybody}`,
    `${may} ${talk} ${anybody}`,
    `${may} (?:have|get|see|${reach}) ${person}`,
    `(?:is it|would it be|is it not) possible (?:for me )?to (?:${talk} ${anybody}|${reach} ${person})`,
    `(?:is there (?:any|a) (?:way|chance)(?: for me)?|any (?:way|chance)) to (?:${talk} ${anybody}|${reach} ${person})`,
    `(?:any chance|is there (?:any|a) (?:way|chance)(?: that)?) i (?:can|could) (?:${talk} ${anybody}|${reach} ${person})`,
    `${howTo}(?:${talk}|get (?:hold of|through to)|reach|get) ${person}`,
    `(?:${would} )?(?:please )?${handOver}`,
    `(?:${would} )?(?:please )?(?:get|give|find|bring|send|fetch) (?:me|us) ${person}`,
    `(?:${would} )?(?:please )?escalate (?:this|it|me|my (?:case|issue|request|problem|ticket|complaint))`,
    `(?:${want}|i'd appreciate) (?:human (?:help|assistance|support)|(?:help|assistance|support) from ${person}|(?:talking|speaking) (?:to|with) ${anybody})`,
    `(?:would|do) you mind (?:connecting|transferring|putting) me (?:to|with|through to|in touch with) ${anybody}`,
    `${want} ${person}${forMe}(?= *$| (?:,|please|now|instead|immediately|asap|urgently|right|here|to|who|that|and|or|not|today|because)\\b)`,
    `(?:can|could|would|may)(?: i have)? (?:${one}|someone (?:real|human|from (?:your|the) (?:\\p{L}+ )?(?:team|staff)|from support))(?: please)? (?:please )?(?:help|assist|take over|talk to|speak (?:to|with)|look (?:at|into)|join)(?: (?:me|us|this|it|my \\p{L}+|here))*`,
    `is there (?:${person}) (?:here|there|available|around|online|(?:who |that )?(?:i|we) (?:can|could) (?:talk|speak|chat)(?: (?:to|with))?|(?:for me )?to (?:talk|speak|chat) (?:to|with))`,
  ],
  tails: [
    'about|regarding|concerning|for|who|that|to|from (?!my|our)|because|since|as|right|rather|before|soon|quickly|directly',
    'on the (?:phone|line)|by phone|over the phone|in (?:person|charge|english|german|spanish|french|support|sales|billing|your|the (?:support|sales))',
    'and|but|or|not|at (?:your|the)|with|if possible|live|then|i|my|cause|this|it',
  ],
  bare: [
    `(?:(?:i )?(?:want|need) )?(?:to )?(?:talk|speak|chat|connect)(?: me)? (?:to |with )${anybody}`,
    `(?:get|give|want|need)(?: me)? ${person}`,
    `(?:want|need) (?:human help|help from ${person})`,
    `(?:(?:an?|the|some|any) )?(?:(?:real|actual|live|human|support|customer|service) )*(?:human(?: being)?|person|agent|representative|rep|operator|advisor)`,
    '(?:live|human) (?:chat|support|help|assistance)|real (?:people|humans)|customer (?:service|support|care)(?: (?:please|now))?|support(?: (?:team|staff))? please|real support',
  ],
};
