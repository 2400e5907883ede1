remembered = 📌 Anotado: { $fact }
remembered_as_said = 📌 Anotado, tal como lo dijiste: { $fact }
remembered_server = 📌 Anotado, para todo el servidor: { $fact }
alias_waits = «{ $alias }» valdrá para todos cuando { $name } lo confirme, aquí con «Bot sí» o en `/memory show`. Hasta entonces, solo para ti.
already_known = 📌 Ya lo sabía, y sigue siendo así: { $fact }
subject_unknown = ¿Quién es? No conozco aquí a nadie con el nombre «{ $name }». Menciona a esa persona (@nombre) y ya sabré quién es.
subject_missing = ¿De quién hablas? Menciona a esa persona (@nombre) o empieza con su nombre: «{ $bot } recuerda que @nombre juega al ajedrez».
subject_missing_forget = ¿De quién hablas? Menciona a esa persona (@nombre) o empieza con su nombre: «{ $bot } olvida que @nombre juega al ajedrez».
which_of = ¿A quién te refieres: { $names }? Menciona a la persona correcta (@nombre).
forgotten = 📌 Listo, olvidado: { $facts }
nothing_to_forget = No tengo nada así sobre { $name }.
nothing_like_that = No tengo nada así.
nearest =
    Lo más parecido que sé:
    { $facts }
    Para que olvide algo, di «{ $bot } olvida #{ $number }».
candidates =
    ¿Qué quieres que olvide sobre { $name }?
    { $facts }
    Di «{ $bot } olvida #{ $number }».
forget_all_hint = Para que borre de una vez todo lo de { $name }, usa `/memory-admin purge-member`.
channel_by_command = Para olvidar un canal entero no basta un mensaje. Si administras este servidor, con `/settings` dejo de leerlo y con `/memory-admin purge-channel` se borra lo que guardé de él. Para lo que escribiste tú, está /privacy.
no_such_fact = Aquí no tengo ningún dato #{ $number }.
not_yours = Para que olvide eso me lo tiene que pedir { $name }, quien me lo contó o alguien que modera aquí: { $facts }
not_yours_server = Para que olvide eso me lo tiene que pedir quien me lo contó o alguien que modera aquí: { $facts }
know = **{ $name }**: { $context }
know_facts =
    Lo que me contaron:
    { $facts }
know_more = … y { $count ->
    [one] una cosa más
   *[other] { $count } cosas más
}. *{ button_details }* lo muestra todo.
know_nothing = Todavía no sé nada de { $name }.
know_activity = { $name } escribió { $count ->
        [one] { $count } mensaje
       *[other] { $count } mensajes
    } en los últimos 7 días, en { $days ->
        [one] un solo día
       *[other] { $days } días distintos
    }.
fact_line =
    #{ $number } { $fact }
    -# lo contó { $teller }, { $date }
teller_self = la propia persona
someone = alguien
jokes_off = 📌 No haré más chistes sobre ti.
jokes_on = 📌 Vuelvo a hacer chistes sobre ti.
jokes_by_command = Solo puedo dejar los chistes sobre ti: di «{ $bot } no hagas chistes sobre mí». Quien gestiona este servidor los activa o desactiva para todos en `/settings`.
settings_by_command = Eso se cambia en `/settings`, si gestionas este servidor. Lo que guardo de ti y si puedo hacer chistes sobre ti está en `/privacy`.
zone_set = 📌 Los días de este servidor ahora van con la hora de { $zone }.
zone_denied = Para cambiar la zona horaria hace falta el permiso Gestionar servidor.
zone_unknown = No conozco ninguna zona horaria llamada { $zone }. Escribe una como Europe/Madrid o UTC.
no_ai = Aquí no puedo charlar, porque no hay ninguna IA configurada. Recordar y contar datos sí puedo: di «{ $bot } ayuda».
quota_out = Ya gasté mi cuota de IA hasta las { $until }, así que por ahora no puedo charlar. Con los datos sí puedo: recuerda, olvida, qué sabes de …
ai_away = Mi IA no responde ahora mismo. Con los datos sí puedo: recuerda, olvida, qué sabes de …
ai_refused = Mi IA no quiso responder a eso.
ai_unusable = No entendí lo que respondió mi IA. ¿Me lo preguntas con otras palabras?
keep_this = ¿Me lo guardo? «{ $text }»
forget_one =
    ¿Olvido esto?
    { $facts }
forget_this =
    ¿Olvido alguna de estas cosas?
    { $facts }
not_told = De eso no puedo decir nada.
known_anyway =
    Lo que sé sin ella:
    { $facts }
error = Algo falló de mi lado y no pude hacerlo. Si vuelve a pasar, dale este código a quien me administra: { $code }
database_away = Ahora mismo no alcanzo mi memoria. Me pongo con esto en cuanto vuelva; nada de lo que escribes se pierde. (código { $code })
away_done = Eso ya está. Algo me interrumpió antes de que pudiera decírtelo.
away_done_for = { $name }, lo que me pediste hace un rato ya está. Algo me interrumpió antes de que pudiera decírtelo.
away_tried_for = { $name }, acabo de llegar a lo que me pediste hace un rato y no cambié nada. Inténtalo otra vez si todavía lo quieres.
away_late = No estaba cuando escribiste esto. { $answer }
gave_up = Lo intenté una y otra vez y no pude. Quien me administra puede mirarlo; mientras tanto, pídemelo con otras palabras.
away_missed = No estaba cuando preguntaste. Si todavía quieres saberlo, pregúntame otra vez.
direct_messages = Recuerdo a la gente por servidor; de los mensajes directos, solo la charla misma, durante una hora. Dímelo en un servidor donde yo esté.
attached = Quedó largo; te lo dejo en un archivo.
remembered_in_public =
    📌 Guardado solo para ti.
    No lo oirá nadie más, ni siquiera un modelo. Lo ves con /memory show.
remembered_private =
    📌 Guardado solo para ti: { $fact }
    No lo oirá nadie más, ni siquiera un modelo. Lo ves con /memory show.
replaced = En lugar de: { $facts }
still_true = ¿Esto sigue siendo verdad? { $facts }
not_empty = ¿Qué quieres que recuerde? Responde a un mensaje con «recuerda esto», o di: { $bot } recuerda que …
not_secret = Eso parece una contraseña, una clave o el número de una tarjeta, así que no lo guardo. Mejor borra también el mensaje.
not_own_words = Eso lo dije yo. Responde a algo que haya escrito una persona y lo recordaré.
not_gone = Ese mensaje ya no está, así que no guardo nada de él.
not_named = Ahí aparece alguien que no quiere estar en mi memoria, así que no lo guardo.
not_order = Recuerdo datos, no instrucciones, así que eso no lo guardo.
not_sensitive = Eso tiene que ver con { $matter }. Algo así solo lo guardo si me lo cuenta la propia persona.
not_confirm = Eso tiene que ver con { $matter }: cuéntamelo de ti y confírmalo.
not_opted_out = { $name } no quiere estar en mi memoria, así que no guardo nada sobre esa persona. Lo que guardo de ti está en /privacy.
not_teachers = En este servidor no cualquiera puede contarme cosas de otras personas. { $name } sí puede contármelo.
not_teachers_server = Aquí no cualquiera puede contarme cosas del servidor. Pídeselo a alguien de moderación.
not_forgotten = Eso no lo guardo. Solo { $name } puede contármelo.
confirm_sensitive = Eso tiene que ver con { $matter }. Solo guardo algo así si lo confirmas, y solo te lo digo a ti. Lo que escribiste sigue en el canal mientras no lo borres.
dropped = No lo guardo.
keep_not = Eso no te toca decidirlo a ti, o ya pasó el momento.
matter_health = la salud
matter_sexuality = la sexualidad
matter_religion = la religión
matter_politics = la política
matter_finances = el dinero
matter_phone = un número de teléfono
matter_minor = la edad de menores
matter_other = algo delicado
forgotten_more = Con eso se { $count ->
        [one] fue { $count } dato más, que ya no valía o que solo contaba en otro lugar
       *[other] fueron { $count } datos más, que ya no valían o que solo contaba en otro lugar
    }.
forgotten_hidden = 📌 Listo, ya no queda en ningún lado.
forgotten_talk = 📌 No tenía ningún dato así. Borré de mi memoria lo que encontré sobre eso.
forgotten_source = 📌 Lo que me contaste ya no está. Otros también me lo contaron, así que lo sigo sabiendo: { $facts }
forgotten_left = Volví a buscar, y todavía hay algo parecido guardado. El botón muestra qué.
forgotten_partly = 📌 Borré lo que encontré, pero todavía queda algo.
receipt_clean = Borrado: { $removed }. Volví a buscar en { $tables ->
        [one] { $tables } lugar
       *[other] { $tables } lugares
    } y no encontré nada.
receipt_left = Borrado: { $removed }. Al volver a buscar todavía encontré: { $left }.
receipt_removed = borrado: { $removed }
receipt_none = Ese comprobante es para la persona de la que trata, para quien lo pidió y para quienes moderan.
receipt_attached = El comprobante va adjunto.
table_inbox = cosas que me pidieron
table_chat_history = mensajes
table_facts = datos
table_fact_sources = fuentes de datos
table_user_facts = textos a partir de datos
table_notes = notas
table_historical_summaries = resúmenes de semanas
table_contexts = contextos
table_replies = notas sobre respuestas
table_audit = registro de auditoría
table_suppressions = supresiones
table_members = nombres
table_member_names = nombres para buscar
table_slices = tramos de charla
table_vectors = vectores
undo_not = Eso ya no se puede deshacer, o no puedes tú: hay diez minutos, y pueden la persona de la que trata, quien lo hizo y quienes moderan. Lo que alguien quitó sobre sí, solo esa persona lo recupera.
undone = 📌 { $name } lo deshizo.
back_again = 📌 Lo tengo otra vez: { $facts }
undone_words = 📌 { $name } lo deshizo: «{ $text }»
button_undo = Deshacer
button_receipt = ¿Qué se borró?
button_keep_it = Guárdalo
button_keep_server = Es sobre el servidor
button_keep = Guárdalo solo para mí
button_drop = No lo guardes
button_confirm = #{ $number } sigue igual
button_correct = Corregir #{ $number }
button_strike = Quitar #{ $number }
button_strike_day = Quitar { $date }
button_strike_week = Quitar la semana del { $date }
button_strike_month = Quitar el mes desde el { $date }
button_restore = Restaurar #{ $number } { $fact }
button_privacy = Qué guardas sobre mí
button_policy = Qué guardo
button_gone = Ese botón es de una versión anterior de mí. Usa el comando otra vez.
tab_facts = Datos
tab_days = Resúmenes
tab_history = Historial
show_facts = **{ $name }**: { $count ->
        [one] { $count } dato
       *[other] { $count } datos
    } (página { $page } de { $pages })
show_by_self = __Lo contó { $name }__
show_by_others = __Lo contaron otras personas__
show_inferred = __Lo saqué de la charla__
show_stale = { $count ->
        [one] Hay uno caducado: no se lo digo a nadie hasta que alguien lo confirme.
       *[other] Hay { $count } caducados: no se los digo a nadie hasta que alguien los confirme.
    }
show_days = **{ $name }**: { $count ->
        [one] { $count } resumen
       *[other] { $count } resúmenes
    } (página { $page } de { $pages })
show_no_days = Todavía no hay nada resumido.
show_history = **{ $name }**: lo que cambió (página { $page })
show_no_history = No cambió nada.
day_before = los días hasta el { $date }
day_struck = 📌 El resumen de { $days } ya no está, y tus mensajes de entonces tampoco, salvo los que contaban un dato.
mark_faded = (sin confirmar hace mucho: solo lo digo si me preguntan)
mark_stale = (caducado: no se lo digo a nadie hasta que se confirme)
mark_private = (solo tú lo ves)
mark_link = fuente
mark_told = ({ $times ->
        [one] contado una vez
       *[other] contado { $times } veces
    })
mark_undone = (deshecho)
name_agreed = 📌 Bien: desde ahora «{ $alias }» vale para todos.
agreed = 📌 Bien, entonces es así: «{ $fact }»
confirmed = 📌 Anotado: #{ $number } sigue igual.
corrected = 📌 #{ $number } ahora dice: { $fact }
restore_not = Eso no se puede restaurar: lo que esa persona dijo en su lugar, solo ella puede retirarlo.
restored = 📌 Vuelve a valer: { $fact }
change_line = { $date } { $who } { $action } { $facts }
action_remember = contó
action_correct = corrigió
action_confirm = confirmó
action_restore = restauró
action_forget = me hizo olvidar
action_forget_key = me hizo olvidar un tipo de datos
action_forget_day = me hizo olvidar un resumen
action_rollback = revirtió
action_pending = recibió una pregunta sobre algo delicado
action_consent = decidió qué se puede guardar
action_ignore = me hizo ignorar a
action_unignore = me hizo dejar de ignorar a
action_erase = borró todo
action_left = se fue, y olvidé lo suyo
action_purge_member = borró lo guardado de alguien
action_purge_channel = borró lo guardado de un canal
action_teachers = decidió quién puede contarme cosas
action_log = eligió el canal de avisos
action_look = miró lo guardado
action_base_role = dijo qué rol cuenta como todo el mundo
action_mode = cambió el modo de un canal
form_remember = Recordar esto
form_correct = Corregir #{ $number }
form_erase = Borrar todo
field_about = Sobre quién
field_sentence = Qué recordar
field_audience = Quién puede verlo
field_erase = Escribe «{ $word }»: no se puede deshacer
choice_everyone = Todo el mundo en este servidor
choice_here = Quienes pueden leer este canal
choice_me = Solo yo
remember_people = Recuerdo lo que la gente escribe con palabras. Elige un mensaje así.
channel_off = En este canal me tienen apagado.
why = Para esa respuesta recibí esto:
why_unknown = Lo que recibo para una respuesta lo guardo { $days ->
        [one] { $days } día
       *[other] { $days } días
    }, y de esta no tengo nada. Para confirmar algo o dar ayuda no recibo nada.
why_nothing = Nada de mi memoria.
why_not_mine = Elige una de mis respuestas.
why_summaries = Resúmenes: { $levels }. Fuentes: { $links }
why_no_links = ya no están
why_gone = Desde entonces { $count ->
        [one] cambió o se olvidó { $count } dato más
       *[other] cambiaron o se olvidaron { $count } datos más
    }.
why_kept_back = Esto me lo callé, porque no todo el mundo aquí puede leer donde me lo contaron: { $count ->
        [one] { $count } dato
       *[other] { $count } datos
    }.
level_current_day = hoy
level_days_2_7 = los seis días anteriores
privacy_offer = Lo que guardo sobre ti y por cuánto tiempo, lo que me dejas guardar, tu exportación y cómo borrarlo todo: abre el panel. No borro nada antes de que lo confirmes ahí.
privacy_nothing = No guardo nada sobre ti.
privacy_stored = **{ $where }**: { $messages ->
        [one] { $messages } mensaje
       *[other] { $messages } mensajes
    }; { $facts ->
        [one] { $facts } dato
       *[other] { $facts } datos
    } sobre ti ({ $by_others } de boca de otras personas), { $retired } que ya no { $retired ->
        [one] vale
       *[other] valen
    }; { $about_others ->
        [one] { $about_others } dato
       *[other] { $about_others } datos
    } que me contaste de otras personas; { $summaries ->
        [one] { $summaries } resumen
       *[other] { $summaries } resúmenes
    }; del { $oldest } al { $newest }.
privacy_consent = Lo que me dejas guardar { $where }: **{ $consent }**.
privacy_ignored = Quienes gestionan este servidor me pidieron ignorarte: aquí no guardo nada tuyo.
where_here = en este servidor
where_everywhere = en todas partes
where_other = servidor { $guild }
consent_on = todo
consent_explicit = solo los datos que me cuentan
consent_off = nada
consent_sure_off = Si eliges esto, cambia lo siguiente { $where }: ya no guardaré ninguno de tus mensajes, ni datos ni notas sobre ti, vengan de quien vengan. Los mensajes en los que otros te mencionan se quedan. Borraré todo esto:
consent_sure_explicit = Si eliges esto, { $where } solo guardaré los datos que me cuenten sobre ti. Borraré mis copias de tus mensajes y sus resúmenes:
consent_undo = Durante diez minutos puedes deshacerlo aquí.
form_consent = Qué guardo
field_consent = Escribe «{ $word }»; 10 min para deshacer
field_consent_direct = Escribe «{ $word }»; aquí no se deshace
consent_now_on = Desde ahora puedo recordarte { $where }.
consent_now_explicit = Desde ahora, { $where } solo guardo los datos que me cuentan sobre ti. Tus mensajes y sus resúmenes ya no están.
consent_now_off = Desde ahora, { $where }: no guardo ninguno de tus mensajes, ni datos ni notas sobre ti, vengan de quien vengan. Lo que había ya no está. Los mensajes en los que otros te mencionan se quedan.
button_consent_on_here = Aquí: recuérdame
button_consent_explicit_here = Aquí: solo datos
button_consent_off_here = Aquí: nada
button_consent_on_everywhere = En todas partes: recuérdame
button_consent_explicit_everywhere = En todas partes: solo datos
button_consent_off_everywhere = En todas partes: nada
button_export_here = Exportar (aquí)
button_erase_here = Borrar (aquí)
button_export_everywhere = Exportar (en todas partes)
button_erase_everywhere = Borrar (en todas partes)
export_done = Todo lo que guardo sobre ti, en JSON y en un archivo para leer.
erase_not = No borré nada: la palabra era otra.
erased = Todo lo que guardaba sobre ti ya no está; volví a buscar y no encontré nada. Lo que otras personas escribieron sigue siendo suyo; si tampoco quieres aparecer ahí, elige «nada». El comprobante va adjunto.
erased_left = Ya no está, pero al volver a buscar todavía encontré algo; el comprobante dice dónde. Pulsa otra vez, o díselo a quien me administra.
greeting = ¡Hola! Recuerdo a la gente de este servidor. Leo los canales que veo, guardo los mensajes { $retention } días y resumo lo que pasa, para que mis respuestas os conozcan. Con /privacy cada quien ve, corrige y borra lo que sé de él. Si gestionas este servidor, pulsa «Configurar».
manage_denied = Para eso hace falta el permiso Gestionar servidor.
teachers_anyone = Cualquiera puede contarme datos de otras personas; en cada dato se ve quién lo contó, y la persona de la que trata puede quitarlo.
teachers_self = Desde ahora cada persona solo puede contarme datos sobre sí misma.
teachers_moderators = Desde ahora solo quienes moderan pueden contarme datos de otras personas.
base_role_set = { $role } cuenta como todo el mundo: lo que ese rol puede leer, lo sé en todos los canales que ese rol puede leer. En un canal abierto también a gente recién llegada solo sé lo que se dijo ahí.
base_role_none = Ningún rol cuenta como todo el mundo: para eso está @everyone.
base_role_is = { $role } cuenta como todo el mundo.
base_role_likely = Parece que aquí todo el mundo tiene { $role }: si es así, dímelo con `/memory-admin base-role`.
log_set = Cuando alguien use estos comandos, avisaré en { $channel }.
log_off = Cuando alguien use estos comandos, no avisaré en ningún canal.
mode_off = En { $channel } estoy apagado: no leo ni digo nada. Lo que ya guardé sigue guardado hasta que lo borres.
mode_talk = En { $channel } charlo y no recuerdo nada de lo que se dice, salvo los datos que me pidan recordar.
mode_remember = En { $channel } charlo y recuerdo.
ignored = Desde ahora ignoro a { $name }: ni respondo ni guardo nada suyo. Lo que ya guardé sigue guardado hasta que lo borres.
unignored = Ya no ignoro a { $name }.
button_purge_channel = Borrar todo lo que guardo de este canal
button_purge_member = Borrar todo lo que guardo de { $name }
button_rollback = Quitar { $count ->
        [one] { $count } dato
       *[other] { $count } datos
    }
purge_channel_sure = ¿Borro todo lo que guardo de { $channel }: los mensajes, los datos que me contaron ahí y lo que salió de ellos? No se puede deshacer.
purge_member_sure = ¿Borro todo lo que guardo de { $name }: { $messages ->
        [one] { $messages } mensaje
       *[other] { $messages } mensajes
    }, { $facts ->
        [one] { $facts } dato
       *[other] { $facts } datos
    }, { $summaries ->
        [one] { $summaries } resumen
       *[other] { $summaries } resúmenes
    }? No se puede deshacer.
purged_channel = Todo lo que guardaba de { $channel } ya no está: { $count ->
        [one] { $count } fila
       *[other] { $count } filas
    }.
purged_member = Todo lo que guardaba de { $name } ya no está: { $count ->
        [one] { $count } fila
       *[other] { $count } filas
    }.
rollback_none = { $name } no me contó nada en ese tiempo.
rollback_sure = { $name } me contó { $count ->
        [one] { $count } dato en ese tiempo. ¿Lo quito?
       *[other] { $count } datos en ese tiempo. ¿Los quito?
    } Tienes diez minutos para deshacerlo.
rolled_back = { $count ->
        [one] Ya no está el dato
       *[other] Ya no están los { $count } datos
    } que me contó { $name }.
audit = **Registro de auditoría** (página { $page })
audit_empty = Nada todavía.
command_memory = Lo que recuerdo de la gente de aquí
command_show = Lo que sé de ti o de otra persona de aquí: datos, resúmenes, fuentes
command_history = Lo que cambió sobre ti u otra persona de aquí, y lo que se puede restaurar
command_remember = Recordar algo sobre alguien
command_forget = Olvidar algo sobre ti u otra persona
command_forget_key = Olvidar todos los datos de un tipo
command_privacy = Qué guardo sobre ti, qué me dejas guardar, exportar, borrar
command_help = Qué puedo hacer y cómo pedírmelo
command_status = Cómo estoy: versión, mensajes guardados, cuota de IA
command_admin = Para quienes gestionan este servidor
command_teachers = Quién puede contarme datos de otras personas
command_channel = Qué hago en un canal: nada, charlar o recordar
command_ignore = No responder a alguien ni recordar nada suyo
command_purge_channel = Borrar todo lo que guardo de un canal
command_purge_member = Borrar todo lo que guardo de alguien
command_rollback = Quitar lo que alguien me contó hace poco
command_audit = Qué se hizo con estos comandos
command_base_role = Qué rol tiene todo el mundo
command_log = Avisar en un canal cuando se usen estos comandos
option_member = Quién; tú, si lo dejas vacío
option_whom = Quién
option_fact = Qué recordar, en una frase
option_which = Qué dato; escribe para elegir uno, o dilo con palabras
option_key = Qué tipo, como trabajo o afición
option_teachers = anyone (cualquiera), self (cada persona sobre sí), moderators (quienes moderan)
option_mode = off (nada), talk (charlar), remember (recordar)
option_channel = Qué canal; este, si lo dejas vacío
option_ignored = False para dejar de hacerlo
option_teacher = Quién lo contó
option_hours = De cuántas horas hacia atrás
option_base_role = El rol; @everyone, si no hay ninguno
option_log = Qué canal; ninguno, si lo dejas vacío
menu_remember = Recuerda esto
menu_why = ¿Por qué?
menu_what = ¿Qué recuerdas?
help =
    Empieza con «{ $bot }», mencióname o respóndeme.
    • Para guardar algo: **{ $bot } recuerda que Ana toca el chelo**
    • Para ver qué sé: **{ $bot } qué sabes de @nombre** (o «de mí»)
    • Para encontrar algo: **{ $bot } ¿quién arregló el horno?**
    • Para borrar algo: **{ $bot } olvida que …**
    • Para ponerte al día: **{ $bot } qué me perdí**
    • Para detenerme: `/privacy`
status =
    Versión { $version }. Mensajes guardados de este servidor: { $messages }; pendientes de guardar: { $pending }.
    Los días van con la hora de { $zone }.
    { $models }
status_model = { $model } — llamadas hoy: { $calls }{ $limit }; tokens: { $tokens }{ $blocked }
status_blocked = ; sin cuota hasta las { $until }
presence_facts_only = Solo datos: mi IA no responde
presence_facts_only_until = Solo datos hasta las { $until }
presence_nothing_new = No leo nada nuevo: mi IA no responde
presence_nothing_new_until = No leo nada nuevo hasta las { $until }
status_bad_key = ; no acepta su clave
status_unknown_model = ; no hay ningún modelo con ese nombre
status_minute_out = ; sin cuota en este minuto
status_day_out = ; sin cuota por hoy
status_unreachable = ; no responde
status_dropped = Eventos de Discord que no pude leer: { $count }
status_whole = De este canal no falta nada desde { $since }
status_missing = Todavía estoy leyendo lo que se escribió aquí desde { $since }
status_skew = El reloj de mi máquina está desajustado { $seconds } segundos; quien me administra debería ponerlo en hora
status_catching_up = Poniéndome al día con lo que me perdí: { $read } de { $count ->
        [one] { $count } canal
       *[other] { $count } canales
    }
status_parked = Tareas paradas hasta que las mire quien me administra: { $count } (urmom-bot parked)
status_failing = Tareas de fondo que fallan una y otra vez: { $names }
status_no_ai = No hay ninguna IA configurada: solo recuerdo y cuento datos.
found_anyway =
    Pero aquí se dijo esto:
    { $lines }
recall_found =
    Esto es lo que encontré:
    { $lines }
recall_nothing = No encontré nada de eso aquí.
missed = Desde la última vez que escribiste ({ $since }) hubo charla: { $channels }.
missed_nothing = Aquí no ha pasado nada desde la última vez que escribiste ({ $since }).
command_recall = Buscar lo que se dijo aquí
option_question = ¿Qué buscas?
why_found = Lo encontré buscando: { $links }
reset_done = 📌 Listo, empezamos de cero. Lo que acordamos me lo quedo.
subject_closed = 📌 Vale, cambiamos de tema. Cerré tu parte de la charla. Los demás pueden seguir con la suya.
reset_nothing = Aquí no tenemos ninguna charla en marcha.
busy = Un momento, todavía estoy respondiendo a otras personas aquí. Pregúntame de nuevo cuando termine.
direct_session = Guardo esta charla una hora como mucho, y después nada de ella.
answered_before = Eso ya me lo preguntaste, y te dije:
gathered = Esto lo saqué de lo que dijiste. ¿Es así? { $fact }
changed = El { $date } anoté sobre ti: «{ $note }». ¿Esto sigue siendo cierto? { $fact }
status_session = { $channel }: { $turns ->
        [one] { $turns } turno
       *[other] { $turns } turnos
    }, { $tokens ->
        [one] { $tokens } token
       *[other] { $tokens } tokens
    } en el último prompt ({ $parts }){ $over }
status_over = — por encima de su presupuesto: { $parts }
command_reset = Empezar de cero nuestra conversación
table_sessions = conversaciones
table_turns = turnos de conversaciones
table_segments = partes de conversaciones
table_conclusions = conclusiones
table_topics = temas
table_answers = respuestas guardadas
topics_heading = { $count ->
        [one] { $count } tema
       *[other] { $count } temas
    }
topics_none = Todavía no hay temas: salen de lo que acuerdas al charlar conmigo.
topic_line = **{ $name }** ({ $count ->
        [one] { $count } línea
       *[other] { $count } líneas
    }), { $when }
topic_replaced = (reemplazado el { $when })
topic_since = (dicho por primera vez el { $when })
topic_heading = **{ $name }**: { $count ->
        [one] { $count } línea
       *[other] { $count } líneas
    }
topic_none = No conozco ese tema aquí.
topic_denied = Los temas los editan quienes moderan; tus propias líneas las puedes borrar tú.
topic_renamed = { $name } ahora se llama { $new }.
topic_name_taken = No se puede llamar { $new }: ya hay un tema así, o eso no es un nombre.
topic_merged = Las líneas de { $name } ahora están en { $into }.
topic_merge_not = Esos dos no se pueden unir: no los puede leer la misma gente.
topic_dropped = La página { $name } ya no está; lo que decía se sigue encontrando si alguien pregunta.
button_drop_line = Borrar { $number }
command_topics = Mostrar los temas de este servidor
command_topic = Temas: lo que se acordó y se averiguó
command_topic_show = Mostrar la página de un tema
command_topic_rename = Dar otro nombre a un tema
command_topic_merge = Pasar las líneas de un tema a otro
command_topic_drop = Borrar la página de un tema; sus líneas se quedan
option_topic = El tema
option_new_name = Su nuevo nombre
option_into = El tema que las recibe
status_prompts_over = Prompts por encima de su presupuesto desde que arranqué: { $parts }
share_used = Por ahora ya usaste tu parte de mi IA; así alcanza para todo el mundo. Pregúntame de nuevo { $until }. Con los datos sí puedo: recuerda, olvida, qué sabes de …
not_full = Solo me caben unos cuantos datos que una persona cuente de otra, y ya no queda lugar. Haz que olvide alguno de los tuyos y cuéntame este otra vez.
not_link = No guardo invitaciones.
not_unclear = Eso no es una afirmación clara sobre { $name }. Dímelo mejor en un mensaje («Bot recuerda que …»).
confirm_unread = No entiendo ese idioma lo bastante bien como para saber si es algo privado. Guárdalo solo si no va de salud, creencias, amores, dinero o líos con la ley.
button_keep_other = No es nada privado: guárdalo
busy_member = Una cosa a la vez: sigo con tus mensajes anteriores.
matter_affairs = asuntos amorosos
matter_origin = el origen de alguien
matter_violence = la violencia
matter_family = problemas de familia
matter_address = el lugar donde vive alguien
matter_unlawful = algo vergonzoso o ilegal
welcome = ¡De nada!
stays_saved = Vale. Lo que me acabas de decir sigue guardado.
stays_deleted = Ya está borrado. El botón lo recupera.
dropped_it = Está bien.
forgot_last = 📌 Hecho, he olvidado lo que dijiste aquí: «{ $text }». El mensaje sigue en el canal hasta que lo borres.
untrue_nothing = No sé a qué dato te refieres. Dilo con lo que pone, por ejemplo: «olvida que vivo en Leeds».
nothing_deleted = Vale. No he borrado nada.
message_gone = Borré mi copia de ese mensaje para siempre. No puedo recuperarla.
forget_last_nothing = No tengo nada tuyo de los últimos diez minutos aquí.
say_the_wish = No sé bien qué guardar o borrar. Dilo así: «{ $bot } recuerda que …» o «{ $bot } olvida que …».
hello_no_ai = ¡Hola! Aquí no puedo conversar, pero recuerdo cosas. Prueba «{ $bot } recuerda que …» o «{ $bot } qué sabes de mí».
undo_nothing = Aquí no puedo deshacer nada más: solo lo último que hice por ti, y solo durante diez minutos.
redo_nothing = Aquí no puedo recuperar nada: solo lo último que borraste o deshiciste, y solo durante diez minutos.
undo_which = De tu último mensaje no guardé nada. Antes me dijiste esto. Si te refieres a eso, di otra vez «deshacer»: «{ $text }»
which_message = ¿A qué mensaje te refieres? No veo ninguno de { $name }, ni sobre esa persona, que me diga algo. Responde a ese mensaje con «recuerda esto».
know_today = Hoy:
know_before = Antes:
know_earlier = Más atrás:
know_perhaps_changed = Quizá cambió:
know_said_today = Dicho hoy:
button_details = ¿Quién me lo contó?
button_details_of = ¿Quién me contó lo de { $name }?
button_help_more = ¿Qué más?
help_more =
    • **{ $bot } recuerda para el servidor: la reunión es el viernes**
    • **{ $bot } recuerda esto sobre @nombre** — como respuesta a un mensaje, o después de una charla
    • **{ $bot } olvida #12**, **{ $bot } deshaz**, **{ $bot } no, me refería a @nombre**
    • **{ $bot } qué me perdí**; en un hilo no hace falta que me llames otra vez
    • reacciona con { $emoji } para un chiste de «tu mamá»; con **{ $bot } sin chistes sobre mí** no hago ninguno sobre ti
    • **{ $bot } zona horaria Europe/Madrid** (Gestionar servidor): cuándo empiezan los días de este servidor
    • /memory show, history, remember, forget, forget-key; /recall; /topics; /reset; /privacy; /status; en mensajes y personas: Aplicaciones
    • /settings y /memory-admin, para quienes gestionan este servidor
    Guardo { $retention } días los mensajes de los canales que puedo leer. De ellos saco resúmenes y datos, que también guardo: mira, corrige, exporta o borra lo tuyo con /privacy.
introduction = Todavía no nos conocemos: recuerdo lo que la gente dice aquí. Con `/privacy` ves qué guardo de ti y lo puedes desactivar.
budget_used = Este servidor ya gastó su presupuesto de IA de hoy, así que no puedo charlar hasta las { $until }. Con los datos sí puedo: recuerda, olvida, qué sabes de …
button_settings = Configurar
button_memory_on = Memoria: activar
button_memory_off = Memoria: desactivar
button_bare_names_on = Mi nombre sin coma: activar
button_bare_names_off = Mi nombre sin coma: desactivar
button_captions_on = Describir imágenes
button_captions_off = No describir imágenes
button_read_ahead_on = Leer sin que pregunten
button_read_ahead_off = No leer sin que pregunten
button_settings_character = Cómo sueno …
button_jokes_on = Chistes: activar
button_jokes_off = Chistes: desactivar
button_settings_general = Idioma, nombres, plazos…
button_settings_channel = Un canal…
button_settings_budget = Presupuesto de IA…
settings_title = **Configuración**: solo pueden cambiarla quienes gestionan este servidor
settings_on = sí
settings_off = no
settings_memory = • Memoria: **{ $state }**
settings_facts = • Datos: **{ $facts }**; de estos, **{ $faded }** desvaneciéndose (solo si se pregunta) y **{ $stale }** ya sin usar hasta que alguien los confirme
settings_retention = • Los mensajes se guardan **{ $days ->
    [one] { $days } día
   *[other] { $days } días
    }**
settings_language = • Idioma: **{ $language }**
settings_zone = • Los días van con la hora de **{ $zone }**
settings_names = • Respondo si me llaman **{ $names }** o por mi apodo de aquí
settings_bare_names = • Llamarme sin coma, como en «Bot hola»: **{ $state }**
settings_captions = • Poner en palabras imágenes y mensajes de voz, para encontrarlos: **{ $state }**
settings_read_ahead = • Leer los días por los que nadie preguntó, para recordarlos: **{ $state }**
settings_character = • Cómo sueno: **{ $character }**
settings_character_wrong = Eso no sirve como carácter: { $most } letras como mucho, sin contraseñas, enlaces ni nada privado de nadie.
settings_teachers = • Quién puede contarme datos de otras personas: **{ $who }**
settings_jokes = • Chistes: **{ $state }**
settings_budget = • Peticiones a la IA hoy: **{ $used }**, sin límite fijado aquí
settings_budget_of = • Peticiones a la IA hoy: **{ $used }** de { $most }
settings_mode_off = • No hago nada en { $channels }
settings_mode_talk = • Solo charlo, sin guardar lo que se dice, en { $channels }
settings_no_captions = • No describo imágenes en { $channels }
settings_cannot_read = • No puedo leer { $channels }
settings_cannot_write = • Me faltan permisos en { $channels }
settings_all_channels = • Puedo leer y escribir en todos los canales que veo
settings_more = y { $count } más
settings_saved = Cambió la configuración
settings_names_wrong = Hasta { $most } nombres separados por comas, de 2 a 32 caracteres cada uno. No cambié nada.
settings_retention_wrong = Los mensajes se pueden guardar de { $least } a { $most } días. No cambié nada.
settings_budget_wrong = Escribe un número entero, o déjalo vacío para no poner límite. No cambié nada.
form_general = Idioma, nombres, plazos
form_character = Cómo sueno aquí
form_channel = Qué hago en un canal
form_budget = Presupuesto de IA
field_language = Idioma cuando no sé cuál usar
field_zone = Zona horaria
field_names = Más nombres para mí (a, b, c)
field_character = Carácter
field_character_own = Con tus palabras (si lo elegiste)
field_teachers = Quién puede contarme datos de otras personas
field_retention = Días que se guardan mensajes (1–{ $most })
field_channel = Canal
field_mode = Qué hago ahí
field_captions = Imágenes y mensajes de voz ahí
field_budget = Peticiones al día (vacío: sin límite)
language_any = el de quien escribe
character_usual = amable, breve y un poco pícaro
character_warm = cálido y paciente
character_dry = seco e irónico
character_lively = alegre y juguetón
character_own = con tus palabras
who_anyone = cualquiera
who_self = solo la propia persona
who_moderators = quienes moderan
what_off = nada
what_talk = solo charlar
what_remember = charlar y recordar
captions_yes = ponerlos en palabras
captions_no = dejarlos como están
action_settings = cambió la configuración
command_settings = Configurar qué hago en este servidor
say_again = Lo he deshecho. Dímelo otra vez con el nombre correcto.
which_of_two = No he cambiado nada: ¿te refieres a lo que me contaste tú o a lo que acaban de contarme de ti? Dime la frase entera, por favor.
which_corrected = No cambié nada: lo último que me dijiste no es sobre nadie. Dímelo otra vez como es.
missed_today = En el último día hubo charla: { $channels }.
missed_nothing_today = Aquí no pasó nada en el último día.
opted_out_yourself = Me pediste que no te recordara, así que no lo hago. Puedes cambiarlo en /privacy.
policy_contact = quien gestiona este bot
policy_grace = { $days ->
    [0] a petición
    [one] a { $days } día
   *[other] a los { $days } días
    }
quoted = «{ $text }»
settings_memory_off = • Memoria: **no**. No guardo nada de lo que se dice aquí, solo lo que me piden recordar
button_tour = Pruébalo
button_try_remember = Recuerda algo de mí
button_try_know = ¿Qué sabes de mí?
form_try = Recuerda algo de mí
field_try = Por ejemplo: toco la tuba
only_on_servers = Los datos son de un servidor. Pulsa este botón allí.
tour =
    Tres cosas que probar:
    1. Cuéntame algo de ti. Te enseño la frase, con *Deshacer*.
    2. Mira qué sé de ti: cada dato, quién lo dijo y cuándo.
    3. Decide qué puedo guardar, o bórralo todo.
    En un canal puedes hacer lo mismo con palabras: **{ $bot } recuerda que toco la tuba**

# The page in a browser

command_page = Tu página en el navegador: todo lo que sé de ti, de dónde viene y cómo cambiarlo
button_page = Abrir mi página
page_link =
    { $link }
    -# El enlace funciona una vez, durante diez minutos y solo para ti. No lo compartas.
page_link_words = Abrir tu página
page_local = -# Lleva al ordenador en el que funciono. Quien me administra puede abrir las páginas a todos con PAGE_URL.
page_off = Las páginas están desactivadas. Quien me administra puede activarlas con PAGE_PORT.
page_ask_there = Cada servidor tiene su propia página. Usa /memory page en un servidor.
page_takes_long = Esto tarda más de lo normal. Lo haré de todos modos; recarga la página en un momento.
page_a_channel = un canal
page_a_role = un rol
page_message = mensaje
page_today = hoy
page_before = antes de { $day }
page_operator = Administrador
page_server_unnamed = tu servidor
page_skip = Saltar al contenido
page_pages = Páginas
page_sections = En esta página
page_menu_me = Yo
page_menu_people = Personas
page_menu_topics = Temas
page_menu_search = Buscar
page_menu_privacy = Privacidad
page_menu_server = Servidor
page_sign_out = Cerrar sesión
page_times = Las horas son las de este servidor: { $zone }.
page_what_you_see = Ves lo que también podrías leer en Discord.
page_what_is_kept = Qué guardo y cómo evitarlo
page_previous = Anterior
page_next = Siguiente
page_number = Página { $page } de { $pages }
page_as_table = Como tabla
page_day = Día
page_save = Guardar
page_cancel = Cancelar
page_show = Mostrar
page_home = Ir a mi página
page_facts = Datos
page_days = Día a día
page_answers = Mis respuestas para ti
page_changes = Cambios
page_models = Enviado a la IA
page_settings = Ajustes
page_audit = Registro
page_roll_back = Revertir
page_on_discord = { $name } en Discord
page_portrait = Las respuestas sobre esta persona empiezan con este texto. Lo escribí { $day }.
page_facts_hint = Solo uso un dato en respuestas a quienes podían leerlo donde se dijo. Ábrelo para ver sus fuentes, corregirlo o borrarlo.
page_facts_of_hint = Solo datos de canales que puedes leer. Abre uno para ver sus fuentes.
page_no_facts = Todavía no sé nada de ti.
page_no_facts_hint = Dime algo en Discord: «Bot recuerda que juego al ajedrez».
page_no_facts_of_hint = Nadie me ha dicho nada que puedas leer.
page_group_check = Compruébalos, por favor
page_group_check_hint = Los deduje yo, o hace mucho que nadie los confirma.
page_group_by_subject = Me lo dijiste tú
page_group_by_subject_of = Me lo dijo { $name }
page_group_by_subject_hint = La palabra de cada uno es la que más cuenta.
page_group_by_others = Me lo dijeron otros
page_group_by_others_of = Me lo dijeron otros
page_group_by_others_hint = Si alguno es falso, puedes corregirlo o borrarlo.
page_group_inferred = Lo deduje
page_group_inferred_hint = De conversaciones, no de una orden de recordarlo.
page_only_you = solo lo ves tú
page_everyone_may = Todos en este servidor pueden verlo.
page_some_may = Solo pueden verlo quienes pueden leer dónde se dijo.
page_fading = se desvanece
page_stale = ya no lo uso
page_holds = vigente
page_no_longer = ya no es cierto
page_times_told = dicho { $count ->
    [one] una vez
   *[other] { $count } veces
}
page_used = usos: { $count }
page_used_long = Lo usé en { $count ->
    [one] una respuesta
   *[other] { $count } respuestas
} últimamente.
page_who_told = Quién me lo dijo
page_days_hint = Lo que anoté sobre ti a partir de conversaciones. Si me haces olvidar un día, borro también mis copias de tus mensajes de ese día.
page_days_of_hint = Lo que anoté sobre { $name } a partir de conversaciones que puedes leer.
page_no_days = Todavía no hay notas.
page_no_days_hint = Leo los mensajes de un día cuando alguien pregunta por él, o después si sobra cuota de IA.
page_messages_week = Mensajes de los últimos 7 días
page_messages = Mensajes
page_changes_hint = Quién cambió qué, durante un año.
page_no_changes = Todavía no hay cambios.
page_no_changes_hint = Cuando alguien me dice un dato, lo corrige o lo borra, aparece aquí.
page_when = Cuándo
page_who = Quién
page_what = Qué
page_whom = Sobre
page_me_the_bot = yo
page_undone = deshecho
page_restorable = Ya no es cierto
page_restorable_hint = Datos que otros más nuevos sustituyeron. Puedes restaurarlos.
page_answers_hint = Mis últimas respuestas para ti, de los últimos 7 días. Mira en qué se basó cada una.
page_no_answers = No hay respuestas en los últimos 7 días.
page_no_answers_hint = Pregúntame algo en Discord. Luego podrás ver aquí por qué lo dije.
page_a_message = una pregunta cuyo texto no guardo
page_words_gone = No guardo las palabras de esta respuesta. Puedes leerla en Discord.
page_why = ¿Por qué dije eso?
page_why_hint = Lo que sabía y encontré al escribir la respuesta, hasta donde puedes verlo.
page_why_unknown = Ya no lo sé.
page_why_unknown_hint = Lo guardo solo unos días, y nunca para respuestas que otros no pueden rastrear.
page_why_no_facts = Ningún dato.
page_why_gone = { $count ->
    [one] Un dato ya no está o no puedes verlo.
   *[other] { $count } datos ya no están o no puedes verlos.
}
page_why_kept_back = { $count ->
    [one] Me reservé un dato sobre ti: no todos allí pueden leerlo.
   *[other] Me reservé { $count } datos sobre ti: no todos allí pueden leerlos.
}
page_why_found = Mensajes que encontré
page_why_nothing = Nada de la memoria.
page_why_nothing_hint = La respuesta no usó datos ni búsqueda.
page_about = Sobre { $name }
page_models_hint = Lo que envié de ti y sobre ti a modelos de IA en los últimos 7 días, y para qué: tus mensajes, tus preguntas y lo que sé de ti. Los mensajes directos que me escribes también van a un modelo, pero aquí no se cuentan.
page_no_models = En los últimos 7 días no envié nada tuyo ni sobre ti a ningún modelo de IA.
page_no_models_hint = Cuando se envíe algo, verás aquí qué fue.
page_model = Modelo
page_calls = Llamadas
page_my_messages = Tus mensajes
page_sent = Tus palabras que se enviaron
page_sent_hint = Mensajes tuyos que envié a un modelo en los últimos 7 días, sin las contraseñas ni otras claves secretas que tuvieran.
page_people_hint = Miembros sobre los que puedes ver datos.
page_no_people = Nadie todavía.
page_no_people_hint = Cuando alguien me diga un dato que puedas leer, aparecerá aquí de quién se trata.
page_facts_count = { $count ->
    [one] un dato
   *[other] { $count } datos
}
page_replaced = reemplazado:
page_first_said = dicho por primera vez:
page_lines_count = { $count ->
    [one] una línea
   *[other] { $count } líneas
}
page_topics_hint = Lo que se decidió o descubrió en conversaciones conmigo.
page_no_topics = Todavía no hay temas.
page_no_topics_hint = Cuando una conversación conmigo da un resultado, lo guardo aquí.
page_search_label = Buscar en lo que puedes leer
page_search_results = Resultados
page_export_text = Descargar (texto)
page_export_json = Descargar (JSON)
page_sessions = Sesión iniciada
page_sessions_hint = Este navegador mantiene la sesión hasta { $until }, o hasta que la cierres.
page_sign_out_everywhere = Cerrar todas las sesiones
page_numbers = La memoria en números
page_numbers_hint = Solo números: aquí no se ve lo que dijo nadie.
page_number_facts = Datos
page_number_members = Personas de las que tratan
page_number_notes = Notas
page_number_messages = Mensajes
page_number_topics = Temas
page_number_facts_only = Personas que eligieron «solo datos»
page_number_nothing = Personas que eligieron «nada»
page_number_ignored = Personas ignoradas
page_month = Los últimos 30 días
page_messages_day = Mensajes por día
page_calls_day = Llamadas a la IA por día (límite: { $most })
page_no_plots = Todavía no ha pasado nada.
page_audit_hint = Lo que hicieron administradores y moderadores, también en páginas como esta.
page_no_audit = Nada todavía.
page_roll_back_hint = Borra lo que alguien me dijo sobre otros en los últimos 7 días. Lo ves antes de que se borre nada.
page_no_teachers = Nadie me ha dicho nada sobre otros en los últimos 7 días.
page_no_teachers_hint = Así que no hay nada que revertir.
page_teacher = Dicho por
page_alone_offer = ¿Abrir tu página?
page_offer_who = Pediste este enlace como { $name } en «{ $server }».
page_offer_open = Abrir mi página
page_offer_hint = El enlace funciona una vez, hasta { $until }. La sesión dura hasta 12 horas en este navegador. ¿No eres tú? Cierra esta ventana: no se abrió nada.
page_alone_expired = Este enlace ya no funciona
page_alone_expired_hint = Un enlace funciona una vez, durante diez minutos. Pide otro en Discord con /memory page.
page_alone_signed_out = Has cerrado la sesión
page_alone_signed_out_hint = Para abrir tu página, usa /memory page en tu servidor de Discord.
page_alone_over = Inicia sesión, por favor
page_alone_over_hint = Tu sesión ha terminado o has salido del servidor. Pide otro enlace en Discord con /memory page.
page_alone_denied = Aquí no hay nada para ti
page_alone_denied_hint = O esta página no existe, o no puedes verla.
page_alone_busy = Demasiadas peticiones
page_alone_busy_hint = Espera un minuto e inténtalo de nuevo.
page_alone_away = No puedo acceder a mi memoria o a Discord
page_alone_away_hint = No se ha perdido nada. Inténtalo de nuevo en un momento.
page_alone_error = Algo salió mal
page_alone_error_hint = No afecta a nada más. Puedes volver e intentarlo de nuevo.
page_alone_erased = Hecho
page_alone_erased_hint = Has cerrado la sesión.
page_health = Estado
page_healthy = Todo funciona.
page_loops = Tareas en segundo plano
page_name = Nombre
page_failures = Fallos
page_error = Último error
page_parked = Tareas fallidas
page_parked_hint = Con urmom-bot parked las reintentas o las descartas.
page_nothing = Ninguna.
page_spending = Uso de la IA
page_calls_today = Llamadas hoy
page_tokens_today = Tokens hoy
page_tokens = Tokens
page_prompts = Los últimos prompts
page_prompts_hint = Cuántos tokens tenía cada parte de un prompt. Las palabras no se guardan.
page_parts = Partes
page_sizes = Tablas
page_rows = Filas (estimación)
table_page_access = enlaces y sesiones de páginas en el navegador
page_do_confirm = Sigue siendo cierto
page_do_correct = Corregir
page_do_strike = Olvidar
page_do_strike_day = Olvidar este día
page_do_strike_week = Olvidar esta semana
page_do_strike_month = Olvidar este mes
page_do_drop_line = Borrar
page_do_restore = Restaurar
page_conclusions = Conclusiones
page_conclusions_hint = Lo que se decidió o descubrió en conversaciones conmigo, donde se te nombra o se basa en tus palabras.
page_no_conclusions = Todavía no hay conclusiones.
page_by_kind = Por tipo
page_kind = Tipo
page_domain_work = Trabajo
page_domain_preferences = Preferencias
page_domain_decisions = Decisiones
page_domain_personal = Personal
page_domain_projects = Proyectos
page_channels = Canales
page_channels_hint = Los que puedes leer.
page_channel = Canal
page_what_i_do = Qué hago
page_who_reads = Quién puede oírlo
page_read_until = Leído hasta
page_missing = Permisos que faltan
page_mode_off = nada
page_mode_talk = solo charlar
page_mode_remember = charlar y recordar
page_everyone = todos
page_some = quienes pueden leerlo
page_ai_uses = Para qué se usa la IA
page_what_for = Finalidad
page_use_reply = Respuestas
page_use_memory = Notas y textos cortos sobre miembros
page_use_digest = Resultados de conversaciones
page_use_media = Imágenes y mensajes de voz
page_use_ahead = Días por los que nadie preguntó
button_settings_posts = Resumen, cumpleaños…
button_recap_preview = Vista previa del resumen
settings_recap = • Un resumen cada lunes: **{ $state }**
settings_birthdays = • Felicitaciones de cumpleaños: **{ $state }**
settings_posts_in = • Esas publicaciones van en { $channel }
form_posts = Lo que publico por mi cuenta
field_post_channel = Dónde publico
field_recap = Un resumen cada lunes
field_birthdays = Felicitaciones de cumpleaños
recap = **Del { $since } al { $until }: nuestra semana**
recap_decided = **Lo que se decidió**
recap_happened = **Lo que pasó**
recap_helped = **Quiénes ayudaron**
recap_quotes = **Frases de la semana**
recap_end = -# De canales públicos. Si no quieres aparecer, mira `/privacy`.
recap_previewed = -# Solo tú ves esto: el resumen de los últimos siete días, tal como lo escribiría ahora.
recap_without_ai = -# Solo tú ves esto. No pude conectar con mi IA, así que aquí van mis notas tal cual.
recap_empty = En los últimos siete días no anoté nada que encaje en un resumen.
birthday_wish = 🎂 ¡Feliz cumpleaños, { $names }!
table_posts = lo que publiqué por mi cuenta
table_model_calls = registros de cuánto se envió a modelos de IA
page_talks = Conversaciones en curso
page_talks_hint = Cada una termina tras { $minutes } minutos sin que nadie me escriba. Lo que resulte aparecerá abajo.
page_talk = { $count ->
    [one] { $count } mensaje
   *[other] { $count } mensajes
    }
page_offline = Ahora mismo no estoy disponible. Hasta que vuelva, lo que pulses no hará nada.
page_again = Reintentar
page_sign_in = Iniciar sesión con Discord
page_alone_choose = Elige un servidor
page_alone_choose_hint = Te conozco de estos servidores. Elige uno para ver lo que sé de ti allí.
page_alone_not_signed_in = No has iniciado sesión
page_alone_not_signed_in_hint = Discord no dijo quién eres. Inténtalo de nuevo o pide un enlace en Discord con /memory page.
page_alone_unknown = No sé nada de ti
page_alone_unknown_hint = En ninguno de mis servidores hay nada sobre ti. Aun así puedes ver tu página con /memory page en tu servidor de Discord.
missed_to_you = **Para ti**
missed_yours = **Sobre ti**
missed_news = **Además**
missed_more = Anoté { $count ->
    [one] una cosa más
   *[other] { $count } cosas más
    }. Pregúntame si quieres saber más.
page_used_for = Se usó para
page_confidence_high = Fiabilidad: alta.
page_confidence_medium = Fiabilidad: media.
page_confidence_low = Fiabilidad: baja.
page_week = Semana del { $since }
page_tokens_day = Tokens de la IA por día, que es lo que se paga
page_no_facts_of = No sé nada de { $name } que puedas ver.
correct_sensitive = Eso es delicado. Algo así lo guardo solo para ti, y solo si estás de acuerdo. Dímelo en el chat: «Bot recuerda que …», y te preguntaré si lo guardo.
consent_explicit_do = Guardar solo datos
consent_off_do = No guardar nada
page_calls_day_free = Llamadas a la IA por día (sin límite)
page_processes = Procesos
page_processes_hint = Todos los que comparten esta base de datos. Lo demás de esta página, donde no se nombra ningún proceso, es del proceso { $process }.
page_started = Iniciado
page_alive = Última señal de vida
page_shards = Shards
page_waiting = En espera
page_number_faded = De estos, desvaneciéndose (solo si se pregunta)
page_number_stale = De estos, ya sin usar hasta que alguien los confirme
