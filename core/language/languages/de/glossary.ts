import type { Glossary } from '../../language-pack.ts';

export const glossary: Glossary = {
  hasCompounds: true,
  entries: `
wie_lange=how_long wie_viel=how_much wieviel=how_much wie_viele=how_many wieviele=how_many wie_oft=how_often
wie_teuer=how_much_cost wie_gross=how_big wie_schwer=how_heavy wie_hoch=how_much wie_weit=how_far wie_alt=how_old
wie_schnell=how_fast wie=how was=what wer=who wen=who wem=who wo=where woher=where wohin=where wann=when warum=why
wieso=why weshalb=why womit=what wofur=what_for welch-=which ob=whether bis_wann=deadline ab_wann=when seit_wann=when
was_kostet=how_much_is was_kosten=how_much_are was_passiert_wenn=what_happens_if was_tun=what_to_do
was_bedeutet=what_does_mean was_heisst=what_does_mean was_mache_ich=what_do_I_do was_muss_ich_tun=what_to_do
gibt_es=is_there gibts=is_there wo_finde_ich=where_is geht_nicht=does_not_work funktioniert_nicht=does_not_work
kaputt_gegangen=broken auf_raten=instalments per_mail=by_e-mail per_post=by_mail zu_spat=late zu_viel=too_much
ich=I mir=me mich=me mein-=my wir=we uns=us unser-=our du=you dir=you dich=you dein-=your ihr=you euch=you euer=your
eure-=your sie=you ihnen=you ihre-=your man=one er=it es=it
der=the die=the das=the den=the dem=the des=the ein=a eine=a einen=a einem=a einer=a eines=a kein-=no nicht=not
und=and oder=or aber=but wenn=if falls=if dass=that als=as dann=then noch=still schon=already auch=also nur=only
mit=with ohne=without fur=for von=of vom=of aus=from nach=to zu=to zum=to zur=to in=in im=in ins=into an=on am=on auf=on
bei=at beim=at vor=before uber=about unter=under durch=through gegen=against um=at bis=until seit=since wahrend=during
wegen=because_of pro=per je=per statt=instead_of innerhalb=within ausserhalb=outside zwischen=between ab=from
ist=is sind=are war=was bin=am sein=be habe=have hat=has haben=have habt=have hatte=had hatten=had wird=will werden=will
werdet=will wurde=was worden=been kann=can kannst=can konnen=can konnt=can konnte=could darf=may durfen=may muss=must
mussen=must musst=must soll=should sollte=should mochte=want_to will=want_to wollen=want_to lass-=let tun=do macht=do
machen=make mache=do gemacht=done geht=works gehen=go gilt=valid gelten=valid gultig-=valid gultigkeit=validity
bitte=please danke=thanks hallo=hello gern-=gladly eigentlich=really denn=then etwas=something alles=everything nichts=nothing
jemand=someone alle=all all-=all jede-=every mehr=more weniger=less viel-=much wenig-=few ander-=other neu-=new alt-=old
gross-=large klein-=small lang-=long kurz-=short hoch=high teuer=expensive billig-=cheap gunstig-=cheap kostenlos-=free
gratis=free umsonst=free frei=free schnell-=fast spat-=late fruh-=early falsch-=wrong richtig-=right gut=good schlecht-=bad
kaputt-=broken defekt-=faulty beschadigt-=damaged zerbrochen-=broken fehlerhaft-=faulty leer-=empty voll-=full heiss=hot
kalt=cold nass=wet sicher-=safe giftig-=harmful gefahrlich-=dangerous moglich-=possible notig=needed erforderlich=required
preis-=price kost-=cost gebuhr-=fee geld=money rabatt-=discount gutschein-=voucher geschenkgutschein-=gift_card
geschenkkart-=gift_card gutscheincod-=promotion_code rabattcod-=promotion_code cod-=code geschenk-=gift
geschenkverpack-=gift_wrapping mehrwertsteuer=VAT steuer-=tax zoll=customs zoll-=customs rechnung-=invoice beleg-=receipt
quittung-=receipt bezahl-=pay zahl-=pay zahlung-=payment zahlungsart-=payment_methods zahlungsmethod-=payment_methods
kreditkart-=credit_card kart-=card lastschrift-=direct_debit uberweis-=bank_transfer bankverbindung=bank_details rate-=instalment
raten=instalments konto=account kontos=account benutzerkonto=account abbuch-=charge abgebucht=charged erstatt-=refund
ruckerstatt-=refund zuruckerstatt-=refund geld_zuruck=refund gutschrift=credit
versand=delivery versend-=deliver versandkost-=delivery_cost versandt=dispatched verschick-=send schick-=send schicken=send
liefer-=deliver lieferung-=delivery lieferzeit-=delivery_time geliefert-=delivered zustell-=deliver porto=postage
paket-=parcel pakchen=parcel packchen=parcel sendung-=parcel sendungsverfolg-=track_parcel verfolg-=track ankomm-=arrive
angekommen=arrived ankunft=arrival kommt=come kommen=come adress-=address lieferadress-=delivery_address land=country
lander-=countries ausland=abroad international-=international weltweit=worldwide express=express abhol-=collect
zuruckschick-=send_back zuruckgeb-=return zuruckgegeben=returned zurucksend-=send_back zuruck=back rucksend-=return
rucksendung-=return ruckgab-=return retour-=return umtausch-=exchange umgetauscht=exchanged tausch-=swap widerruf-=cancel
widerrufsrecht=right_to_cancel reklamier-=complain reklamation-=complaint beschwer-=complain beschwerde-=complaint
bestell-=order bestellung-=order bestellt=ordered auftrag-=order kauf-=buy gekauft=bought einkauf-=purchase verkauf-=sell
storn-=cancel stornier-=cancel abbestell-=cancel kundig-=cancel kundigung-=cancel gekundigt=cancelled kundigungsfrist=notice_period
abo=subscription abos=subscription abonnement-=subscription vertrag-=contract laufzeit-=term mindestlaufzeit=minimum_term
mitglied-=member verlanger-=extend pausier-=pause unterbrech-=pause aussetz-=skip uberspring-=skip andern=change ander-=change
anderung-=change wechsel-=change umstell-=change erhoh-=increase tarif-=plan monat-=month monatlich-=monthly jahr-=year
jahrlich-=yearly woch-=week wochentlich-=weekly wochenend-=weekend tag-=day taglich-=daily stund-=hour minut-=minute uhr=o'clock
werktag-=working_day feiertag-=public_holiday montag-=Monday dienstag-=Tuesday mittwoch-=Wednesday donnerstag-=Thursday
freitag-=Friday samstag-=Saturday sonnabend=Saturday sonntag-=Sunday heute=today morgen=tomorrow gestern=yesterday
weihnacht-=Christmas ostern=Easter sommer=summer winter=winter mal=times einmal=once zweimal=twice
offnungszeit-=opening_hours geoffnet=open offnet=open offen=open offn-=open geschloss-=closed schliess-=close zeit=time zeiten=times
uhrzeit=time termin-=appointment frist-=time_limit dauer-=duration dauert=take warte-=wait
laden=shop ladens=shop geschaft-=shop filial-=branch markt=market werkstatt=workshop buro=office firma=company unternehmen=company
sitz=based standort=location befind-=located anfahrt=directions parkplatz-=parking park-=parking rollstuhl-=wheelchair
telefon=phone telefonnummer=phone_number nummer=number anruf-=call anrufen=call erreich-=reach kontakt=contact kontaktier-=contact
e-mail=e-mail mail=e-mail email=e-mail mailadress-=e-mail_address emailadress-=e-mail_address schreib-=write sprech-=speak
mitarbeiter-=employees kundendienst=customer_service kundenservice=customer_service support=support hilf-=help person=person
mensch-=person chef-=owner gegrundet=founded grund-=found team=team kunde=customer kunden=customers
passwort=password passworter=passwords kennwort=password vergessen=forgotten zurucksetz-=reset anmeld-=sign_in einlogg-=sign_in
login=sign_in registrier-=register abmeld-=sign_out gesperrt=locked sperr-=lock entsperr-=unlock losch-=delete geloscht=deleted
benutzer-=user nutzer-=user name=name namen=name daten=data datenschutz=privacy personlich-=personal weitergeb-=share
werbung=advertising newsletter=newsletter bestatig-=confirm code=code zwei-faktor=two-factor sicherheit=security
garanti-=warranty gewahrleist-=warranty reparier-=repair reparatur-=repair ersatzteil-=spare_parts ersatz=replacement
ersetz-=replace austausch-=replace teil=part teile=parts problem-=problem fehler=error fehlermeldung=error_message
storung=fault funktionier-=work lauft=work reinig-=clean sauber-=clean putz-=clean wasch-=wash spulmaschine=dishwasher
bedeut-=mean licht=light lichter=lights leucht-=light lampe=lamp lampen=lamp blink-=blinking rot=red rote-=red grun-=green gelb-=yellow
blau-=blue weiss-=white schwarz-=black farbe-=colour pump-=pump motor=motor batteri-=battery akku-=battery strom=power
strom-=electricity stecker=plug kabel=cable verbrauch-=use gerat=device gerate-=device geraus-=noise laut=loud undicht=leaking
leck-=leak tropf-=leak wasser=water tank=tank fuller-=refill filter=filter anleitung-=instructions einricht-=set_up
aufbau-=set_up zusammenbau-=assemble install-=install benutz-=use verwend-=use nutz-=use einstell-=setting einschalt-=turn_on
ausschalt-=turn_off neustart-=restart starten=start start-=start app=app herunterlad-=download download=download aktualisier-=update
update=update version=version server=server datei-=file speicher-=store sicherung=backup verbind-=connect wlan=wifi
gross-=size grosse=size breit-=width gewicht=weight wieg-=weigh mass-=dimensions material=material gemacht_aus=made_of
produkt-=product artikel=item artikels=item sache-=item ding-=item verfugbar-=available lager=stock ausverkauft=sold_out vorratig=in_stock
probier-=try test-=test probe-=trial unterschied-=difference besser=better empfehl-=recommend vergleich-=compare
enthalt-=include inklusive=included dabei=included inbegriffen=included zutat-=ingredients vegan=vegan allergi-=allergy
halt=last haltbar-=keep ablauf-=expire ablauft=expire verfall-=expire lauft_ab=expire verlier-=lose verloren=lost fehlt=missing
fehlend-=missing punkt-=points treuepunkt-=loyalty_points sammel-=collect einlos-=redeem mindestbestellwert=minimum_order
mindest-=minimum hochst-=maximum maximal-=maximum minimum=minimum grenz-=limit alter=age kind-=children jugendlich-=minors
student-=student schul-=school hund-=dog katz-=cat tier-=animal pflanz-=plant samen=seeds saat=seeds erde=soil wachs-=grow
deutschland=Germany osterreich=Austria schweiz=Switzerland frankreich=France spanien=Spain italien=Italy england=England
grossbritannien=UK irland=Ireland niederlande=Netherlands belgien=Belgium polen=Poland europa=Europe eu=EU usa=USA
annehm-=accept akzeptier-=accept bekomm-=get erhalt-=receive brauch-=need benotig-=need such-=look_for finden=find find-=find
wissen=know frag-=question antwort-=answer erklar-=explain zeig-=show seh-=see schau-=look nehm-=take geb-=give bring-=bring
hol-=fetch bleib-=stay heiss-=called arbeit-=work wohn-=live umzieh-=move umzug=move umgezog-=moved passier-=happen
seriennummer=serial_number modell-=model gravur-=engraving gravier-=engrave belast-=charge bargeld=cash bar_bezahlen=pay_cash barzahlung=cash
nun=now jetzt=now kam=came kommt_an=arrive ankommt=arrives aufnahm-=recordings aufzeichn-=record telefonisch=by_phone telefonat-=phone_calls
personalisier-=personalised gemeinsam=together familie-=family freund-=friend haushalt-=household aufladen=charge auflad-=charge
hochladen=upload hochlad-=upload einladen=invite einlad-=invite umbenenn-=rename teilen=share export-=export import-=import
schlussel-=key hersteller-=maker herkunft=origin stammen=come_from woraus=what_of nachhaltig-=sustainable recycel-=recycle entsorg-=dispose
zustimm-=agree barrierefrei-=wheelchair_accessible behindert-=disabled bus=bus zug=train bahn=train besuch-=visit fuhrung-=tour
kostenvoranschlag=quote angebot-=offer handler-=trade grosshandel=wholesale wiederverkauf-=resellers treueprogramm=loyalty_programme
`,
};
