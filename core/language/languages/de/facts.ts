import type { FactWords } from '../../fact-words.ts';

export const facts: FactWords = {
  months:
    'januar|jan februar|feb marz|mrz april|apr mai juni|jun juli|jul august|aug september|sept|sep oktober|okt november|nov dezember|dez',
  until: 'bis vor endet enden spatestens',
  since: 'ab seit von vom nach',
  during: 'in im jahr fur',
  to: 'bis und',
  fillers: 'zum zu dem den der am einschliesslich ende',
  past: 'war waren hatte hatten wurde wurden gegrundet eroffnet eroffnete fruher damals ehemals galt galten endete',
  negations: 'nicht kein keine keinen keinem keiner keines nie niemals ohne weder',
  bounds: 'spater langer mehr weniger fruher nur',
  opposites: `verboten=erlaubt untersagt=erlaubt unzulassig=erlaubt gestattet=erlaubt unmoglich=moglich
    ausgeschlossen=moglich geschlossen=geoffnet freiwillig=erforderlich ungultig=gultig`,
  assertions: `kann konnen darf durfen erlaubt gestattet moglich verfugbar enthalten inklusive muss mussen erforderlich notig
    bieten liefern versenden akzeptieren geoffnet gultig gilt gelten ist sind haben willkommen`,
  contrasts: 'aber ausser nur jedoch sondern wenn falls sofern sonst ausgenommen',
  yes: 'ja inklusive enthalten verfugbar',
  no: 'nein',
  numbered:
    'version schritt abschnitt kapitel seite nr nummer paragraf artikel raum gebaude zeile gleis modell teil phase',
  verbEndings: 't te',
  restrictions: 'fur nach in im am an mit pro bei zu zum zur ausser uber unter innerhalb',
  synonyms: 'beginnt=startet endet=schliesst',
  plain: `akzeptieren akzeptiert erlaubt gestattet betragt betragen kostet kosten preis preise gebuhr gebuhren fallt fallen an
    insgesamt kunde kunden besucher nutzer person personen bekommen bekommt erhalten erhalt geben gibt gewahren
    haben hat halt halten lassen liegt liegen dauer dauert lauft machen maximal mindestens minimum maximum hochstens
    muss mussen benotigen benotigt bieten bietet frist zeitraum bitte moglich erforderlich braucht gilt gelten gultig
    nehmen nimmt ublich verwenden wollen innerhalb binnen lange kann konnen konnte darf durfen sollen soll wurden auch
    immer derzeit aktuell jetzt neu neue unser unsere unserem unseren unserer ihr ihre ihrem ihren ihrer uns wir sie man es bis zu pro je jede
    jeder jedes alle beide als oder und mehr weniger etwa rund circa genau noch schon spater langer nach ab seit vor
    faq hilfe seite seiten ratgeber info infos information informationen uberblick kontakt frage fragen antwort antworten
    richtlinie richtlinien bedingung bedingungen regel regeln allgemein allgemeine details hinweis hinweise neuigkeiten
    willkommen wissen gut wichtig merkblatt broschure handbuch nicht kein keine ist sind wird werden sich dann
    wert eigenschaft merkmal angabe berechnen berechnet verlangen verlangt um auf aus dabei hier dort durch
    wenn sowie dass so nur einfach gerne werktags uhr steht stehen belauft`,
  participle: 'ge',
  endings: 'ungen ung ern en er es em e n s t',
};
