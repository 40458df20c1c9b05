import type { Glossary } from '../../language-pack.ts';

export const glossary: Glossary = {
  hasCompounds: false,
  entries: `
combien_de_temps=how_long combien_de=how_many combien_coute=how_much_is combien_coutent=how_much_are combien=how_much
quel_est_le_prix=how_much_is quel_prix=what_price a_quelle_heure=what_time depuis_quand=since_when jusqu_a_quand=deadline
est-ce_que=do est_ce_que=do qu_est-ce_que=what qu_est-ce_qui=what qu_est_ce_que=what est-il=is_it est-elle=is_it y_a-t-il=is_there
y_a_t_il=is_there il_y_a=there_is que_faire_si=what_to_do_if que_faire=what_to_do que_signifi-=what_does_mean
que_veut_dire=what_does_mean que_se_passe-t-il=what_happens comment_faire_pour=how_to comment=how ou_est=where_is ou_se_trouve=where_is
ou_sont=where_are ou=where quand=when pourquoi=why qui=who que=what quoi=what quel=which quelle=which quels=what quelles=what
lequel=which puis-je=can_I peut-on=can_I pouvez-vous=can_you pouvons-nous=can_we avez-vous=do_you_have livrez-vous=do_you_deliver
vendez-vous=do_you_sell faites-vous=do_you_do acceptez-vous=do_you_accept proposez-vous=do_you_offer dois-je=must_I faut-il=must_I
ne_fonctionne_pas=does_not_work ne_marche_pas=does_not_work en_panne=broken en_ligne=online en_magasin=in_the_shop
je=I j=I me=me m=me moi=me mon=my ma=my mes=my nous=we notre=our nos=our tu=you te=you ton=your ta=your tes=your vous=you votre=your
vos=your il=it elle=it ils=they elles=they on=one ca=it cela=it ce=this cet=this cette=this ces=these c=it s=it se=it si=if
le=the la=the l=the les=the un=a une=a des=some du=of de=of d=of au=to aux=to a=to en=in dans=in sur=on sous=under avec=with
sans=without pour=for par=by chez=at vers=to depuis=since avant=before apres=after pendant=during jusqu=until contre=against
entre=between et=and ou_bien=or mais=but donc=so car=because ne=not n=not pas=not plus=more moins=less tres=very trop=too_much
aussi=also encore=still deja=already seulement=only tout=all toute=all tous=all toutes=all chaque=every autre-=other meme=same rien=nothing
quelque_chose=something quelqu_un=someone y=there
est=is sont=are etait=was etre=be suis=am etes=are ai=have as=have avons=have avez=have ont=have avoir=have eu=had peux=can peut=can
pouvez=can peuvent=can pouvoir=can dois=must doit=must devez=must devoir=must faut=must veux=want_to voudrais=want_to veut=want_to
fait=does faire=do fais=do faites=do vais=going va=goes aller=go vont=go bonjour=hello merci=thanks svp=please s_il_vous_plait=please
nouveau-=new nouvelle-=new ancien-=old grand-=large petit-=small long-=long court-=short cher=expensive chere=expensive gratuit-=free
rapid-=fast tard=late tot=early faux=wrong mauvais-=wrong bon=good casse-=broken abime-=damaged endommage-=damaged defectueu-=faulty
vide-=empty plein-=full chaud-=hot froid-=cold sur_et_certain=safe dangereu-=dangerous toxique-=harmful possible-=possible
necessaire-=needed obligatoire-=required valable-=valid valide-=valid validite=validity dure=last duree=duration
prix=price cout-=cost coute-=cost frais=cost frais_de_port=delivery_cost frais_de_livraison=delivery_cost argent=money
remise-=discount reduction-=discount code_promo=promotion_code code_de_reduction=promotion_code bon_d_achat=voucher
bon_de_reduction=voucher carte_cadeau=gift_card cartes_cadeaux=gift_card cheque_cadeau=gift_card cadeau-=gift emballage=wrapping
tva=VAT taxe-=tax douane-=customs facture-=invoice recu-=receipt payer=pay paye-=pay paie=pay paiement-=payment
moyens_de_paiement=payment_methods mode_de_paiement=payment_method carte_bancaire=credit_card carte_bleue=credit_card
carte_de_credit=credit_card carte-=card virement-=bank_transfer prelevement-=direct_debit plusieurs_fois=instalments mensualite-=instalment
debite-=charged rembours-=refund avoir_en_magasin=credit
livraison-=delivery livrer=deliver livre-=deliver livrez=deliver expedi-=dispatch envoi=delivery envois=delivery envoy-=send
colis=parcel paquet-=parcel suivi=tracking suivre=track arriv-=arrive adresse-=address pays=country etranger=abroad
international-=international monde=world express=express retirer=collect retrait=collection point_relais=pick-up_point
renvoy-=send_back retourn-=return retour-=return rendre=return echang-=exchange retract-=cancel reclam-=complaint plainte-=complaint
command-=order commande-=order achat-=purchase acheter=buy achete-=bought vendre=sell vend-=sell annul-=cancel annulation=cancel
resili-=cancel resiliation=cancel arreter=stop desabonn-=cancel_subscription abonnement-=subscription abonn-=subscribe
formule-=plan offre-=plan forfait-=plan contrat-=contract engagement=minimum_term duree_minimale=minimum_term preavis=notice_period
membre-=member prolong-=extend paus-=pause suspend-=pause sauter=skip changer=change change-=change modifi-=change
augment-=increase mois=month mensuel-=monthly an=year ans=years annee-=year annuel-=yearly semaine-=week hebdomadaire-=weekly
week-end=weekend jour-=day quotidien-=daily heure-=hour minute-=minute jour_ouvrable=working_day jours_ouvrables=working_days
jours_feries=public_holidays ferie-=public_holiday lundi-=Monday mardi-=Tuesday mercredi-=Wednesday jeudi-=Thursday vendredi-=Friday
samedi-=Saturday dimanche-=Sunday aujourd_hui=today demain=tomorrow hier=yesterday noel=Christmas paques=Easter ete=summer hiver=winter
fois=times une_fois=once
horaires_d_ouverture=opening_hours heures_d_ouverture=opening_hours horaire-=opening_hours ouvert-=open ouvr-=open ouverture=opening
ferme-=closed fermeture=closing temps=time rendez-vous=appointment delai-=time_limit delais_de_livraison=delivery_time
delai_de_livraison=delivery_time attend-=wait
magasin-=shop boutique-=shop atelier-=workshop bureau-=office entreprise-=company societe-=company siege=based situe-=located
trouv-=find emplacement=location parking=parking gar-=parking fauteuil_roulant=wheelchair
telephone=phone numero_de_telephone=phone_number numero=number appel-=call joindre=reach contact=contact contact-=contact
e-mail=e-mail mail=e-mail courriel=e-mail adresse_mail=e-mail_address adresse_e-mail=e-mail_address courrier=mail ecri-=write parl-=speak
employe-=employees salarie-=employees service_client=customer_service service_apres-vente=customer_service aide-=help
personne-=person conseiller=person humain=person fond-=founded cree-=create equipe=team client-=customer
mot_de_passe=password mots_de_passe=passwords oubli-=forgotten reinitialis-=reset connect-=sign_in connexion=sign_in
se_connecter=sign_in identifiant-=user_name inscri-=register deconnect-=sign_out bloqu-=locked debloqu-=unlock supprim-=delete
effac-=delete compte-=account utilisateur-=user nom=name donnees=data donnees_personnelles=personal_data confidentialite=privacy
partag-=share publicite-=advertising newsletter=newsletter confirm-=confirm code=code double_authentification=two-factor securite=security
garanti-=warranty repar-=repair reparation-=repair pieces_detachees=spare_parts piece-=part remplac-=replace probleme-=problem
erreur-=error message_d_erreur=error_message panne-=fault fonctionn-=work march-=work nettoy-=clean nettoyage=clean lav-=wash
lave-vaisselle=dishwasher voyant-=light lumiere-=light lampe-=lamp clignot-=blinking rouge-=red vert-=green jaune-=yellow bleu-=blue
blanc-=white noir-=black couleur-=colour pompe-=pump moteur-=motor batterie-=battery pile-=battery courant=power electricite=electricity
prise=plug cable=cable consomm-=use appareil-=device bruit-=noise bruyant-=loud fuite-=leak fuit=leak eau=water reservoir-=tank rempli-=refill
filtre-=filter mode_d_emploi=instructions notice-=instructions install-=install configur-=set_up mont-=assemble utilis-=use
reglage-=setting parametre-=setting allum-=turn_on eteind-=turn_off redemarr-=restart demarr-=start application=app appli=app
telecharg-=download mettre_a_jour=update mise_a_jour=update version=version serveur-=server fichier-=file sauvegard-=backup
wifi=wifi taille-=size dimension-=dimensions poids=weight pese=weigh matiere=material materiau-=material
produit-=product article-=item chose-=item disponible-=available stock=stock epuise-=sold_out essay-=try essai=trial
difference-=difference meilleur-=better recommand-=recommend compar-=compare contien-=include inclu-=included compris-=included
ingredient-=ingredients vegan=vegan allerg-=allergy conserv-=keep expir-=expire perim-=expire perd-=lose perdu-=lost manqu-=missing
point-=points points_de_fidelite=loyalty_points fidelite=loyalty utiliser_mes_points=redeem_points minimum=minimum maximum=maximum
limite-=limit age=age enfant-=children mineur-=minors etudiant-=student ecole-=school chien-=dog chat-=cat animal=animal animaux=animals
plante-=plant graine-=seeds semence-=seeds terre=soil pouss-=grow
france=France allemagne=Germany belgique=Belgium suisse=Switzerland espagne=Spain italie=Italy angleterre=England royaume-uni=UK
irlande=Ireland pays-bas=Netherlands autriche=Austria europe=Europe union_europeenne=EU etats-unis=USA
accept-=accept recev-=receive recoi-=receive obten-=get besoin=need cherch-=look_for sav-=know question-=question repon-=answer
expliqu-=explain montr-=show voir=see prend-=take donn-=give apport-=bring rest-=stay travaill-=work habit-=live demenag-=move
arrive-t-il=happens
numero_de_serie=serial_number serie=serial modele-=model gravure-=engraving grav-=engrave especes=cash liquide=cash comptant=cash
maintenant=now telephonique-=phone enregistr-=record accessible-=accessible handicap-=disabled famille-=family ami-=friend
inviter=invite invit-=invite renomm-=rename export-=export import-=import cle=key fabricant-=maker origine=origin provenance=origin
viennent=come_from vient=come_from recycl-=recycle bus=bus train=train visit-=visit visite-=tour devis=quote revend-=resellers
professionnel-=trade grossiste=wholesale rempli-=fill_in combien_d=how_many quelle_est_la_duree=how_long etes-vous=are_you
fixe=steady livraison_express=express_delivery commander_par_telephone=order_by_phone quelle_est_la_garantie=how_long_is_the_warranty
`,
};
