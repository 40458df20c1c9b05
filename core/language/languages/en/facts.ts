import type { FactWords } from '../../fact-words.ts';

export const facts: FactWords = {
  months:
    'january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep october|oct november|nov december|dec',
  workdayAdjectives: 'working business',
  noon: 'noon midday',
  until: 'until till through by before expires expire ends end ending',
  since: 'from since starting beginning after',
  during: 'in during for',
  to: 'to and through',
  fillers: 'of the on at and including end day midnight',
  past: 'was were had did founded opened began started earlier formerly previously became ended expired',
  negations: 'not no never cannot without neither nor none dont doesnt isnt arent cant wont',
  bounds: 'later longer more less fewer earlier only just',
  opposites: `forbidden=allowed prohibited=allowed banned=allowed disallowed=allowed impossible=possible excluded=included
    excludes=includes unavailable=available closed=open optional=required voluntary=required unnecessary=necessary
    refuse=accept refused=accepted refuses=accepts rejected=accepted declined=accepted disabled=enabled invalid=valid
    unlimited=limited permitted=allowed`,
  assertions: `can may allowed permitted accepted accept accepts possible available included includes include must required
    require requires need needed necessary offer offers ship ships deliver delivers support supports supported open
    valid enabled apply applies covered covers cover welcome refundable have has is are provide provides take takes`,
  contrasts: 'but except unless only however although though if otherwise instead apart',
  yes: 'yes included available ✓ ✔ y',
  no: 'no none excluded unavailable ✗ ✘ ✕ × n',
  numbered:
    'version v step section chapter page no nr number paragraph article room building release line platform gate phase part figure table model series',
  verbEndings: 's ed',
  restrictions: 'for to in on at with during as per via outside inside under over above below except',
  synonyms: 'begin=start begins=starts commence=start commences=starts finish=end finishes=ends',
  plain: `accept accepts accepted allow allows allowed permit permits permitted amount amounts applies apply ask available
    cost costs price prices priced pricing charge charges charged fee fees total customer customers client clients visitor visitors
    everyone anyone everybody user users person people get gets give gives given grant grants granted go going have has
    hold holds include includes included including item items keep keeps last lasts length let limit limits limited make makes max maximum min minimum most
    least must need needs needed offer offers offered period please possible provide provides provided receive
    receives received require requires required run runs set take takes taken takes time times usually use used valid want will
    pay pays paid carry carries work works
    within long may might can could would should able also always currently now new our your their us we you they it
    up down per each every any all both than or and least more less approximately about around roughly currently exactly
    right arrive arrives come comes expect counts count following further ever still already later longer far together
    value values property properties feature features detail specification characteristic attribute
    largest smallest biggest highest lowest longest shortest greatest
    data sheet sheets hours technical
    faq faqs help page pages guide guides info information overview contact question questions answer answers policy
    policies terms condition conditions rule rules general details detail notice notices news summary list welcome
    home visit know good note notes handbook brochure leaflet checklist briefing glance notes sheet important frequently asked
    whatever whichever happily gladly simply just only even under normal circumstances case cases kind standard regular currently today stands stand lies amounts comes to is are be been do does way`,
};
