import type { Glossary } from '../../language-pack.ts';

export const glossary: Glossary = {
  hasCompounds: false,
  entries: `
cuanto_tiempo=how_long cuanto_dura=how_long_does_last cuanto_tarda=how_long_does_take cuanto_cuesta=how_much_is
cuanto_cuestan=how_much_are cuanto_vale=how_much_is cuanto=how_much cuanta=how_much cuantos=how_many cuantas=how_many
con_que_frecuencia=how_often a_que_hora=what_time desde_cuando=since_when hasta_cuando=deadline que_pasa_si=what_happens_if
que_hago_si=what_to_do_if que_hacer=what_to_do que_significa=what_does_mean que_es=what_is como_puedo=how_can_I como=how
donde_esta=where_is donde_estan=where_are donde=where adonde=where cuando=when por_que=why quien-=who cual-=which que=what
hay=is_there se_puede=can_I puedo=can_I puede=can pueden=can podemos=can podria=could tengo_que=must_I tienen=do_you_have
teneis=do_you_have tiene=has tengo=have envian=do_you_deliver enviais=do_you_deliver venden=do_you_sell aceptan=do_you_accept
no_funciona=does_not_work no_va=does_not_work en_linea=online en_tienda=in_the_shop
yo=I me=me mi=my mis=my nos=us nuestr-=our tu=your tus=your te=you usted-=you vosotros=you os=you su=your sus=your vuestr-=your
se=it lo=it la=the el=the los=the las=the le=you les=you un=a una=a unos=some unas=some al=to a=to de=of del=of en=in con=with
sin=without para=for por=for sobre=about desde=from hasta=until entre=between contra=against antes=before despues=after durante=during
dentro=within fuera=outside segun=according_to y=and e=and o=or u=or pero=but si=if no=not ni=nor mas=more menos=less muy=very
demasiado=too_much tambien=also ya=already todavia=still aun=still solo=only todo-=all toda-=all cada=every otro-=other otra-=other
mismo-=same nada=nothing algo=something alguien=someone este=this esta=this estos=these estas=these ese=that esa=that eso=that
es=is son=are era=was ser=be estar=be estoy=am estan=are ha=has he=have han=have habeis=have haber=have debo=must debe=must deben=must
quiero=want_to quisiera=want_to hacer=do hago=do hace=does hacen=do ir=go va=goes voy=going hola=hello gracias=thanks por_favor=please
nuevo-=new nueva-=new viejo-=old grande-=large pequen-=small largo-=long corto-=short caro-=expensive cara-=expensive barat-=cheap
gratis=free gratuit-=free rapid-=fast tarde=late pronto=early mal=wrong incorrect-=wrong equivocad-=wrong bueno-=good
roto-=broken rota-=broken danad-=damaged defectuos-=faulty averiad-=broken vaci-=empty llen-=full calient-=hot fri-=cold segur-=safe
peligros-=dangerous toxic-=harmful posible-=possible necesari-=needed obligatori-=required valid-=valid validez=validity vigencia=validity
dura=last duran=last duracion=duration
preci-=price coste-=cost costo-=cost cuesta-=cost gastos_de_envio=delivery_cost gasto-=cost dinero=money descuento-=discount
codigo_promocional=promotion_code codigo_de_descuento=promotion_code cupon-=voucher vale-=voucher tarjeta_regalo=gift_card
tarjetas_regalo=gift_card tarjeta_de_regalo=gift_card regalo-=gift envolver=wrap iva=VAT impuesto-=tax aduana-=customs
factura-=invoice recibo-=receipt pagar=pay pago=pay pagos=payments pago-=pay formas_de_pago=payment_methods metodos_de_pago=payment_methods
forma_de_pago=payment_method tarjeta_de_credito=credit_card tarjeta-=card transferencia-=bank_transfer domiciliacion=direct_debit
a_plazos=instalments plazos=instalments cobr-=charge reembols-=refund devolucion_del_dinero=refund devolver_el_dinero=refund
envio=delivery envios=delivery enviar=send envi-=send entreg-=deliver entrega-=delivery plazo_de_entrega=delivery_time
tiempo_de_entrega=delivery_time reparto=delivery paquete-=parcel seguimiento=tracking rastre-=track lleg-=arrive direccion-=address
pais=country paises=countries extranjero=abroad internacional-=international mundo=world urgente=express recog-=collect recogida=collection
devolver=return devuelv-=return devolucion-=return cambiar=change cambi-=change reclam-=complaint queja-=complaint desist-=cancel
pedido-=order pedir=order compr-=buy compra-=purchase vend-=sell cancel-=cancel cancelacion=cancel anul-=cancel dar_de_baja=cancel
darme_de_baja=cancel_subscription suscripcion-=subscription suscrib-=subscribe plan=plan planes=plans tarifa-=plan contrato-=contract
permanencia=minimum_term preaviso=notice_period miembro-=member socio-=member prolong-=extend renov-=renew paus-=pause suspend-=pause
saltar=skip omit-=skip modific-=change aument-=increase mes=month meses=months mensual-=monthly ano=year anos=years anual-=yearly
semana-=week semanal-=weekly fin_de_semana=weekend dia=day dias=days diari-=daily hora=hour horas=hours minuto-=minute
dias_laborables=working_days dias_habiles=working_days festivo-=public_holiday lunes=Monday martes=Tuesday miercoles=Wednesday
jueves=Thursday viernes=Friday sabado-=Saturday domingo-=Sunday hoy=today manana=tomorrow ayer=yesterday navidad-=Christmas
semana_santa=Easter verano=summer invierno=winter vez=time veces=times una_vez=once
horario_de_apertura=opening_hours horario-=opening_hours abiert-=open abre=open abren=open abrir=open cerrad-=closed cierra-=close cierre=close
tiempo=time cita-=appointment plazo=time_limit tarda-=take esper-=wait
tienda-=shop taller-=workshop oficina-=office empresa-=company compania-=company sede=based ubicad-=located encuentr-=find
ubicacion=location aparcamiento=parking aparcar=parking estacionamiento=parking silla_de_ruedas=wheelchair
telefono=phone numero_de_telefono=phone_number numero=number llam-=call contact-=contact contacto=contact correo_electronico=e-mail
correo=e-mail email=e-mail e-mail=e-mail escrib-=write habl-=speak emplead-=employees atencion_al_cliente=customer_service ayud-=help
persona-=person agente=person humano=person fund-=founded crear=create equipo=team cliente-=customer
contrasena-=password clave=password olvid-=forgotten restablec-=reset iniciar_sesion=sign_in inicio_de_sesion=sign_in entrar=sign_in
acceder=sign_in registr-=register cerrar_sesion=sign_out bloquead-=locked desbloque-=unlock elimin-=delete borr-=delete cuenta-=account
usuario-=user nombre=name datos=data datos_personales=personal_data privacidad=privacy compart-=share publicidad=advertising
boletin=newsletter confirm-=confirm codigo-=code dos_pasos=two-factor seguridad=security
garantia-=warranty repar-=repair reparacion-=repair piezas_de_repuesto=spare_parts repuesto-=spare_parts pieza-=part
reemplaz-=replace sustitu-=replace problema-=problem error=error errores=errors mensaje_de_error=error_message fallo-=fault averia-=fault
funcion-=work limpi-=clean lav-=wash lavavajillas=dishwasher luz=light luces=lights lampara-=lamp parpade-=blinking roj-=red verde-=green
amarill-=yellow azul-=blue blanc-=white negr-=black color-=colour bomba-=pump motor=motor bateria-=battery pila-=battery corriente=power
electricidad=electricity enchufe=plug cable=cable consum-=use aparato-=device dispositivo-=device ruido-=noise fuga-=leak gote-=leak
agua=water deposito-=tank tanque-=tank rellen-=refill filtro-=filter instrucciones=instructions manual=instructions instal-=install
configur-=set_up mont-=assemble us-=use utiliz-=use ajuste-=setting encend-=turn_on enciend-=turn_on apag-=turn_off
reinici-=restart inici-=start arranc-=start aplicacion=app app=app descarg-=download actualiz-=update version=version servidor-=server
archivo-=file fichero-=file copia_de_seguridad=backup conect-=connect wifi=wifi tamano-=size medidas=dimensions peso=weight pesa=weigh
material-=material producto-=product articulo-=item cosa-=item disponible-=available agotad-=sold_out existencias=stock probar=try
prueba-=trial diferencia-=difference mejor-=better recom-=recommend compar-=compare inclu-=include incluye=include conten-=include
contien-=include ingrediente-=ingredients vegan-=vegan alerg-=allergy conserv-=keep caduc-=expire venc-=expire expir-=expire perd-=lose
perdid-=lost falta-=missing punto-=points puntos_de_fidelidad=loyalty_points fidelidad=loyalty canje-=redeem minimo-=minimum
maximo-=maximum limite-=limit edad=age nino-=children menores=minors estudiante-=student escuela-=school colegio-=school perro-=dog
gato-=cat animal-=animal planta-=plant semilla-=seeds tierra=soil crec-=grow
espana=Spain francia=France alemania=Germany suiza=Switzerland italia=Italy portugal=Portugal inglaterra=England reino_unido=UK
irlanda=Ireland paises_bajos=Netherlands belgica=Belgium austria=Austria europa=Europe estados_unidos=USA
acept-=accept recib-=receive obten-=get necesit-=need busc-=look_for sab-=know pregunt-=question respond-=answer explic-=explain
mostr-=show ver=see tom-=take dar=give dan=give traer=bring qued-=stay trabaj-=work viv-=live mud-=move pasa=happen ofrec-=offer
numero_de_serie=serial_number serie=serial modelo-=model grabado=engraving grab-=engrave efectivo=cash en_efectivo=in_cash ahora=now
telefonic-=phone accesible-=accessible discapacit-=disabled familia-=family amigo-=friend amiga-=friend invit-=invite renombr-=rename
export-=export import-=import llave=key fabricante-=maker origen=origin proced-=come_from vienen=come_from recicl-=recycle autobus=bus
tren=train visit-=visit visita-=tour presupuesto=quote revend-=resellers mayorista=wholesale fij-=steady trabajan=work
envio_urgente=express_delivery habeis=have soy=am somos=are grabais=do_you_record graban=do_you_record llego=arrived
`,
};
