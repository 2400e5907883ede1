remembered = 📌 Gemerkt: { $fact }
remembered_as_said = 📌 Gemerkt, in deinen Worten: { $fact }
remembered_server = 📌 Gemerkt, für den ganzen Server: { $fact }
alias_waits = „{ $alias }“ gilt für alle, sobald { $name } hier „Bot ja“ schreibt oder in `/memory show` auf *stimmt noch* drückt. Bis dahin nur bei dir.
already_known = 📌 Das wusste ich schon: { $fact }
subject_unknown = Wer ist das? Ich kenne hier niemanden namens „{ $name }“. Erwähne die Person (@Name), dann weiß ich, wen du meinst.
subject_missing = Um wen geht es? Sag mir, wer es ist, am besten mit einer Erwähnung: „{ $bot } merk dir, dass @Name gern Schach spielt“.
subject_missing_forget = Um wen geht es? Sag mir, wer es ist, am besten mit einer Erwähnung: „{ $bot } vergiss, dass @Name gern Schach spielt“.
which_of = Wen meinst du: { $names }? Erwähne bitte die richtige Person (@Name).
forgotten = 📌 Erledigt, vergessen: { $facts }
nothing_to_forget = So etwas weiß ich über { $name } gar nicht.
nothing_like_that = So etwas habe ich gar nicht gespeichert.
nearest =
    Das passt noch am ehesten:
    { $facts }
    Wenn ich etwas davon vergessen soll, schreib „{ $bot } vergiss #{ $number }“.
candidates =
    Was davon soll ich über { $name } vergessen?
    { $facts }
    Schreib „{ $bot } vergiss #{ $number }“.
forget_all_hint = Wenn ich alles über { $name } auf einmal löschen soll, nimm `/memory-admin purge-member`.
channel_by_command = Einen ganzen Kanal vergesse ich nicht auf Zuruf. Wenn du diesen Server verwaltest: `/settings` hält mich aus dem Kanal raus, und `/memory-admin purge-channel` löscht, was ich daraus gespeichert habe. Für deine eigenen Nachrichten gibt es /privacy.
no_such_fact = Einen Fakt #{ $number } gibt es hier nicht.
not_yours = Das vergesse ich nur, wenn { $name } es will, die Person, von der ich es weiß, oder die Moderation: { $facts }
not_yours_server = Das vergesse ich nur, wenn die Person es will, von der ich es weiß, oder die Moderation: { $facts }
know = **{ $name }**: { $context }
know_facts =
    Das hat man mir erzählt:
    { $facts }
know_more = … und noch { $count ->
    [one] etwas
   *[other] { $count } Dinge
}. *{ button_details }* zeigt alles.
know_nothing = Über { $name } weiß ich noch nichts.
know_activity = { $name } hat in den letzten 7 Tagen { $count ->
        [one] { $count } Nachricht
       *[other] { $count } Nachrichten
    } geschrieben, und zwar an { $days ->
        [one] einem Tag
       *[other] { $days } Tagen
    }.
fact_line =
    #{ $number } { $fact }
    -# erzählt hat es { $teller }, { $date }
teller_self = die Person selbst
someone = jemand
jokes_off = 📌 Keine Witze mehr über dich.
jokes_on = 📌 Okay, ich darf wieder Witze über dich machen.
jokes_by_command = Nur Witze über dich kann ich lassen: Sag „{ $bot } keine Witze über mich“. Für alle schaltet sie in `/settings` an oder aus, wer diesen Server verwaltet.
settings_by_command = Das geht in `/settings`, wenn du diesen Server verwaltest. Was ich über dich speichere und ob ich Witze über dich mache, steht in `/privacy`.
zone_set = 📌 Auf diesem Server gilt jetzt die Zeitzone { $zone }.
zone_denied = Um die Zeitzone festzulegen, brauchst du die Berechtigung „Server verwalten“.
zone_unknown = Eine Zeitzone { $zone } kenne ich nicht. Versuch es zum Beispiel mit Europe/Berlin oder UTC.
no_ai = Plaudern kann ich hier nicht, weil keine KI eingerichtet ist. Fakten merken und abrufen klappt trotzdem: Schreib „{ $bot } Hilfe“.
quota_out = Mein KI-Kontingent ist bis { $until } aufgebraucht, plaudern kann ich also gerade nicht. Fakten klappen weiterhin: „merk dir“, „vergiss“ und „was weißt du über …“.
ai_away = Meine KI antwortet gerade nicht. Fakten klappen weiterhin: „merk dir“, „vergiss“ und „was weißt du über …“.
ai_refused = Meine KI wollte darauf nicht antworten.
ai_unusable = Mit der Antwort meiner KI konnte ich nichts anfangen. Fragst du mich noch mal anders?
keep_this = Soll ich das behalten? „{ $text }“
forget_one =
    Soll ich das vergessen?
    { $facts }
forget_this =
    Soll ich etwas davon vergessen?
    { $facts }
not_told = Dazu kann ich nichts sagen.
known_anyway =
    Das weiß ich auch so:
    { $facts }
error = Bei mir ist etwas schiefgelaufen, deshalb hat das nicht geklappt. Wenn es noch mal passiert, gib diesen Code an die Person weiter, die mich betreibt: { $code }
database_away = Ich komme gerade nicht an mein Gedächtnis. Sobald es wieder da ist, kümmere ich mich darum; nichts, was du schreibst, geht verloren. (Code { $code })
away_done = Erledigt. Ich wurde unterbrochen, bevor ich es dir sagen konnte.
away_done_for = { $name }, worum du mich vor einer Weile gebeten hast, ist erledigt. Ich wurde unterbrochen, bevor ich es dir sagen konnte.
away_tried_for = { $name }, ich komme erst jetzt zu dem, worum du mich vor einer Weile gebeten hast, und habe nichts geändert. Wenn du es noch willst, sag es mir bitte noch mal.
away_late = Als du das geschrieben hast, war ich nicht da. { $answer }
gave_up = Ich habe es mehrmals versucht und nicht hinbekommen. Sag es mir bitte noch mal anders. Wer mich betreibt, kann sich das ansehen.
away_missed = Als du gefragt hast, war ich nicht da. Wenn du es noch wissen willst, frag mich noch mal.
direct_messages = Was ich über Leute weiß, gehört zu einem Server. In Direktnachrichten behalte ich nur unser Gespräch, und das höchstens eine Stunde. Sag mir das bitte auf einem Server, auf dem ich bin.
attached = Das ist lang geworden, deshalb bekommst du es als Datei.
remembered_in_public =
    📌 Gemerkt, nur für dich.
    Sonst sieht das niemand, auch kein KI-Modell. Mit /memory show kannst du es dir ansehen.
remembered_private =
    📌 Gemerkt, nur für dich: { $fact }
    Sonst sieht das niemand, auch kein KI-Modell. Mit /memory show kannst du es dir ansehen.
replaced = Das ersetzt: { $facts }
still_true = Stimmt das noch? { $facts }
not_empty = Was soll ich mir merken? Antworte auf eine Nachricht mit „merk dir das“ oder schreib „{ $bot } merk dir, dass …“.
not_secret = Das sieht nach einem Passwort, einem Schlüssel oder einer Kartennummer aus, deshalb behalte ich es nicht. Am besten löschst du die Nachricht.
not_own_words = Das habe ich selbst geschrieben. Antworte mit „merk dir das“ auf etwas, das ein Mensch geschrieben hat.
not_gone = Die Nachricht ist weg, deshalb behalte ich nichts davon.
not_named = Eine Person, die du nennst, möchte nicht, dass ich mir etwas über sie merke, deshalb behalte ich das nicht.
not_order = Ich merke mir Tatsachen, keine Anweisungen, das hier also nicht.
not_sensitive = Dabei geht es um { $matter }. So etwas behalte ich nur, wenn Leute es mir über sich selbst erzählen.
not_confirm = Dabei geht es um { $matter }. Erzähl es mir bitte selbst und bestätige es.
not_opted_out = { $name } möchte in meinem Gedächtnis nicht vorkommen, deshalb behalte ich dazu nichts. Was ich über dich speichere, siehst du mit /privacy.
not_teachers = Auf diesem Server dürfen mir nicht alle etwas über andere erzählen. { $name } kann es mir aber selbst sagen.
not_teachers_server = Hier dürfen mir nicht alle etwas über den Server erzählen. Bitte jemanden aus der Moderation darum.
not_forgotten = Das behalte ich nur, wenn { $name } es mir selbst sagt.
confirm_sensitive = Dabei geht es um { $matter }. Ich behalte es nur, wenn du es bestätigst, und nur du wirst es sehen. Deine Nachricht bleibt im Kanal, bis du sie löschst.
dropped = Okay, ich behalte es nicht.
keep_not = Entweder entscheidet das jemand anders, oder die Frage ist abgelaufen.
matter_health = Gesundheit
matter_sexuality = Sexualität
matter_religion = Religion
matter_politics = Politik
matter_finances = Geld
matter_phone = eine Telefonnummer
matter_minor = das Alter einer minderjährigen Person
matter_other = etwas Heikles
forgotten_more = Außerdem habe ich { $count ->
        [one] einen weiteren Fakt vergessen, der
       *[other] { $count } weitere Fakten vergessen, die
    } veraltet oder nur anderswo sichtbar { $count ->
        [one] war
       *[other] waren
    }.
forgotten_hidden = 📌 Erledigt, das ist überall weg.
forgotten_talk = 📌 Einen solchen Fakt hatte ich nicht. Was ich dazu gefunden habe, ist aus meinem Gedächtnis gelöscht.
forgotten_source = 📌 Dass du mir das erzählt hast, habe ich vergessen. Andere haben es mir auch erzählt, deshalb weiß ich es noch: { $facts }
forgotten_left = Ich habe noch einmal nachgesehen: Etwas Ähnliches ist noch gespeichert. Der Knopf zeigt, was.
forgotten_partly = 📌 Ich habe gelöscht, was ich gefunden habe, aber es ist noch nicht alles weg.
receipt_clean = Gelöscht: { $removed }. Ich habe { $tables ->
        [one] { $tables } Stelle
       *[other] { $tables } Stellen
    } noch einmal geprüft und nichts mehr gefunden.
receipt_left = Gelöscht: { $removed }. Ich habe noch einmal nachgesehen und trotzdem noch etwas gefunden: { $left }.
receipt_removed = gelöscht: { $removed }
receipt_none = Was gelöscht wurde, sehen nur die Person, um die es geht, die Person, die darum gebeten hat, und die Moderation.
receipt_attached = In der Datei steht, was gelöscht wurde.
table_inbox = Anfragen an mich
table_chat_history = Nachrichten
table_facts = Fakten
table_fact_sources = Quellen von Fakten
table_user_facts = Texte aus Fakten
table_notes = Notizen
table_historical_summaries = Wochenzusammenfassungen
table_contexts = Kurztexte für Antworten
table_replies = Aufzeichnungen zu Antworten
table_audit = Protokolleinträge
table_suppressions = Fingerabdrücke gelöschter Fakten
table_members = Namen
table_member_names = durchsuchbare Namen
table_slices = Gesprächsabschnitte
table_vectors = Suchdaten
undo_not = Entweder ist es dafür zu spät, oder du darfst das nicht. Zehn Minuten lang können die Person, um die es geht, die Person, die es getan hat, und die Moderation etwas rückgängig machen. Was du über dich selbst gelöscht hast, kannst nur du zurückholen.
undone = 📌 { $name } hat das rückgängig gemacht.
back_again = 📌 Wieder da: { $facts }
undone_words = 📌 { $name } hat das rückgängig gemacht: „{ $text }“
button_undo = Rückgängig
button_receipt = Was wurde gelöscht?
button_keep_it = Behalten
button_keep_server = Es geht um den Server
button_keep = Behalten, nur für mich
button_drop = Nicht behalten
button_confirm = #{ $number } stimmt noch
button_correct = #{ $number } korrigieren
button_strike = #{ $number } vergessen
button_strike_day = { $date } vergessen
button_strike_week = Woche ab { $date } vergessen
button_strike_month = Monat ab { $date } vergessen
button_restore = #{ $number } wiederherstellen: { $fact }
button_privacy = Was speicherst du über mich?
button_policy = Was speicherst du?
button_gone = Dieser Button ist veraltet. Ruf den Befehl bitte noch mal auf.
tab_facts = Fakten
tab_days = Zusammenfassungen
tab_history = Verlauf
show_facts = **{ $name }**: { $count ->
        [one] { $count } Fakt
       *[other] { $count } Fakten
    } (Seite { $page } von { $pages })
show_by_self = __Von { $name } erzählt__
show_by_others = __Von anderen erzählt__
show_inferred = __In Gesprächen aufgeschnappt__
show_stale = { $count ->
        [one] 1 Fakt ist vielleicht
       *[other] { $count } Fakten sind vielleicht
    } veraltet. Ich verwende { $count ->
        [one] ihn
       *[other] sie
    } erst wieder, wenn jemand { $count ->
        [one] ihn
       *[other] sie
    } bestätigt.
show_days = **{ $name }**: { $count ->
        [one] { $count } Zusammenfassung
       *[other] { $count } Zusammenfassungen
    } (Seite { $page } von { $pages })
show_no_days = Es gibt keine Zusammenfassungen.
show_history = **{ $name }**: Änderungen (Seite { $page })
show_no_history = Es gibt keine Änderungen.
day_before = die Tage bis { $date }
day_struck = 📌 Die Zusammenfassung für { $days } ist weg, und mit ihr alles, was ich von deinen Nachrichten aus dieser Zeit noch hatte. Nur die Nachrichten, in denen du mir einen Fakt erzählt hast, bleiben.
mark_faded = (länger nicht bestätigt: Ich verwende das nur auf Nachfrage)
mark_stale = (vielleicht veraltet: Ich verwende das erst wieder, wenn es jemand bestätigt)
mark_private = (das siehst nur du)
mark_link = Quelle
mark_told = ({ $times ->
        [one] einmal erzählt
       *[other] { $times }-mal erzählt
    })
mark_undone = (rückgängig gemacht)
name_agreed = 📌 Gut: Ab jetzt gilt „{ $alias }“ für alle.
agreed = 📌 Gut, dann stimmt es: „{ $fact }“
confirmed = 📌 Gut zu wissen: #{ $number } stimmt noch.
corrected = 📌 #{ $number } lautet jetzt: { $fact }
restore_not = Das lässt sich nicht wiederherstellen. Die Person hat seitdem etwas anderes gesagt, und nur sie selbst kann das zurücknehmen.
restored = 📌 Wiederhergestellt: { $fact }
change_line = { $date } { $who } { $action } { $facts }
action_remember = erzählte mir
action_correct = korrigierte
action_confirm = bestätigte
action_restore = holte zurück
action_forget = löschte
action_forget_key = löschte alle Fakten einer Art
action_forget_day = löschte eine Zusammenfassung
action_rollback = löschte Fakten von
action_pending = sollte etwas Heikles bestätigen
action_consent = legte fest, was ich behalten darf
action_ignore = ließ mich ignorieren:
action_unignore = ließ mich nicht länger ignorieren:
action_erase = löschte alles
action_left = verließ den Server und wurde vergessen
action_purge_member = löschte alle Erinnerungen an
action_purge_channel = löschte alle Erinnerungen an einen Kanal
action_teachers = legte fest, wer mir etwas über andere erzählen darf
action_log = legte den Protokollkanal fest
action_look = öffnete meine Erinnerungen an
action_base_role = legte fest, welche Rolle als „alle“ gilt
action_mode = legte fest, was ich in einem Kanal tue
form_remember = Merk dir das
form_correct = #{ $number } korrigieren
form_erase = Alles löschen
field_about = Um wen geht es?
field_sentence = Was ich mir merken soll
field_audience = Wer es sehen darf
field_erase = Schreib „{ $word }“ (das ist endgültig)
choice_everyone = Alle auf diesem Server
choice_here = Alle, die diesen Kanal lesen können
choice_me = Nur ich
remember_people = Ich kann mir nur Nachrichten merken, die von Menschen sind und Text enthalten. Such dir bitte so eine aus.
channel_off = In diesem Kanal bin ich abgeschaltet.
why = Das habe ich für diese Antwort verwendet:
why_unknown = Zu dieser Antwort habe ich keine Aufzeichnung. Ich hebe Aufzeichnungen { $days ->
        [one] { $days } Tag
       *[other] { $days } Tage
    } lang auf; zu Bestätigungen und zur Hilfe gibt es keine.
why_nothing = Dafür habe ich nichts aus meinem Gedächtnis verwendet.
why_not_mine = Such dir bitte eine Antwort von mir aus.
why_summaries = Zusammenfassungen: { $levels }. Quellen: { $links }
why_no_links = nicht mehr da
why_gone = { $count ->
        [one] { $count } weiterer Eintrag, den ich verwendet habe, wurde
       *[other] { $count } weitere Einträge, die ich verwendet habe, wurden
    } seitdem geändert oder vergessen.
why_kept_back = Weggelassen, weil nicht alle hier den Kanal lesen können, in dem ich davon erfahren habe: { $count ->
        [one] { $count } Fakt
       *[other] { $count } Fakten
    }.
level_current_day = heute
level_days_2_7 = die sechs Tage vor heute
privacy_offer = Öffne das Panel: Dort siehst du, was ich über dich speichere und wie lange, legst fest, was ich behalten darf, und kannst alles exportieren oder löschen. Ich lösche nichts, bevor du es dort bestätigst.
privacy_nothing = Ich habe nichts über dich gespeichert.
privacy_stored = **{ $where }**: { $messages ->
        [one] { $messages } Nachricht
       *[other] { $messages } Nachrichten
    }; { $facts ->
        [one] { $facts } Fakt
       *[other] { $facts } Fakten
    } über dich ({ $by_others } von anderen erzählt), { $retired } { $retired ->
        [one] gilt
       *[other] gelten
    } nicht mehr; { $about_others ->
        [one] { $about_others } Fakt über andere, den du mir erzählt hast
       *[other] { $about_others } Fakten über andere, die du mir erzählt hast
    }; { $summaries ->
        [one] { $summaries } Zusammenfassung
       *[other] { $summaries } Zusammenfassungen
    }; Zeitraum: { $oldest } bis { $newest }.
privacy_consent = Was ich { $where } behalten darf: **{ $consent }**.
privacy_ignored = Das Serverteam hat mir gesagt, dass ich dich ignorieren soll. Deshalb speichere ich hier nichts Neues über dich.
where_here = auf diesem Server
where_everywhere = überall
where_other = auf dem Server { $guild }
consent_on = alles
consent_explicit = nur Fakten, die man mir erzählt
consent_off = nichts
consent_sure_off = Wenn du das wählst, gilt { $where }: Ich speichere keine deiner Nachrichten mehr und keine Fakten oder Notizen über dich, egal von wem. Nachrichten, in denen andere dich erwähnen, bleiben. Das alles lösche ich dann:
consent_sure_explicit = Wenn du das wählst, behalte ich { $where } nur noch Fakten, die man mir über dich erzählt. Deine gespeicherten Nachrichten und die Zusammenfassungen daraus lösche ich dann:
consent_undo = Du kannst das hier zehn Minuten lang rückgängig machen.
form_consent = Was ich behalten darf
field_consent = Schreib „{ $word }“ (10 Minuten umkehrbar)
field_consent_direct = Schreib „{ $word }“ (hier nicht umkehrbar)
consent_now_on = Ab jetzt erinnere ich mich { $where } an dich.
consent_now_explicit = Ab jetzt behalte ich { $where } nur noch Fakten, die man mir über dich erzählt. Was ich von deinen Nachrichten hatte, ist weg, und die Zusammenfassungen daraus auch.
consent_now_off = Ab jetzt gilt { $where }: Ich speichere keine deiner Nachrichten mehr und keine Fakten oder Notizen über dich, von wem sie auch kommen. Was ich hatte, ist weg. Nachrichten, in denen andere dich erwähnen, bleiben.
button_consent_on_here = Hier: erinnere dich an mich
button_consent_explicit_here = Hier: nur Fakten
button_consent_off_here = Hier: nichts
button_consent_on_everywhere = Überall: erinnere dich an mich
button_consent_explicit_everywhere = Überall: nur Fakten
button_consent_off_everywhere = Überall: nichts
button_export_here = Exportieren (hier)
button_erase_here = Löschen (hier)
button_export_everywhere = Exportieren (überall)
button_erase_everywhere = Löschen (überall)
export_done = Hier ist alles, was ich über dich gespeichert habe, als JSON und als lesbare Seite.
erase_not = Ich habe nichts gelöscht. Schreib das Wort bitte ganz genau.
erased = Alles, was ich über dich gespeichert hatte, ist weg. Ich habe noch einmal nachgesehen und nichts gefunden. Was andere geschrieben haben, gehört ihnen und bleibt. Willst du auch darin nicht mehr vorkommen, wähl „nichts“. In der Datei steht, was gelöscht wurde.
erased_left = Ich habe gelöscht, was ich konnte, aber beim Nachsehen noch etwas gefunden. In der Datei steht, wo. Drück den Button bitte noch einmal oder sag der Person Bescheid, die mich betreibt.
greeting = Hi! Ich erinnere mich an die Leute auf diesem Server. Ich lese die Kanäle, die ich sehen kann, behalte Nachrichten { $retention } Tage lang und fasse zusammen, was passiert. So kenne ich euch, wenn ich antworte. Mit /privacy könnt ihr sehen, korrigieren und löschen, was ich über euch weiß. Wenn du diesen Server verwaltest, drück auf „Einrichten“.
manage_denied = Dafür brauchst du die Berechtigung „Server verwalten“.
teachers_anyone = Ab jetzt dürfen alle mir Fakten über andere erzählen. Bei jedem Fakt steht, wer ihn mir erzählt hat, und die Person, um die es geht, kann mich bitten, ihn zu vergessen.
teachers_self = Ab jetzt darf man mir nur noch Fakten über sich selbst erzählen.
teachers_moderators = Ab jetzt darf mir nur noch die Moderation Fakten über andere erzählen.
base_role_set = { $role } gilt jetzt als „alle“: In jedem Kanal, den Mitglieder mit dieser Rolle lesen können, verwende ich alles, was sie lesen können. In Kanälen, die auch Neue ohne die Rolle lesen können, verwende ich nur, was dort gesagt wurde.
base_role_none = Keine andere Rolle gilt mehr als „alle“, nur noch @everyone.
base_role_is = { $role } gilt als „alle“.
base_role_likely = Anscheinend haben hier alle { $role }. Wenn das stimmt, lass die Rolle mit `/memory-admin base-role` als „alle“ gelten.
log_set = Admin-Aktionen protokolliere ich jetzt in { $channel }.
log_off = Admin-Aktionen protokolliere ich in keinem Kanal mehr.
mode_off = In { $channel } bin ich abgeschaltet: Dort lese und schreibe ich nichts. Was ich schon von dort habe, bleibt, bis du es löschst.
mode_talk = In { $channel } plaudere ich, merke mir aber nur etwas, wenn man mich darum bittet.
mode_remember = In { $channel } plaudere ich und merke mir, was passiert.
ignored = Ab jetzt ignoriere ich { $name }: Ich antworte nicht mehr und speichere nichts Neues. Was ich schon habe, bleibt, bis du es löschst.
unignored = Ich ignoriere { $name } nicht mehr.
button_purge_channel = Erinnerungen an diesen Kanal löschen
button_purge_member = Erinnerungen an { $name } löschen
button_rollback = { $count ->
        [one] { $count } Fakt
       *[other] { $count } Fakten
    } löschen
purge_channel_sure = Soll ich alles löschen, was ich aus { $channel } gespeichert habe: Nachrichten, dort erzählte Fakten und alles, was daraus entstanden ist? Der Kanal selbst bleibt, wie er ist. Das lässt sich nicht rückgängig machen.
purge_member_sure = Soll ich alles löschen, was ich über { $name } gespeichert habe: { $messages ->
        [one] { $messages } Nachricht
       *[other] { $messages } Nachrichten
    }, { $facts ->
        [one] { $facts } Fakt
       *[other] { $facts } Fakten
    }, { $summaries ->
        [one] { $summaries } Zusammenfassung
       *[other] { $summaries } Zusammenfassungen
    }? Das lässt sich nicht rückgängig machen.
purged_channel = Alles, was ich aus { $channel } gespeichert hatte, ist weg: { $count ->
        [one] { $count } Eintrag
       *[other] { $count } Einträge
    }.
purged_member = Alles, was ich über { $name } gespeichert hatte, ist weg: { $count ->
        [one] { $count } Eintrag
       *[other] { $count } Einträge
    }.
rollback_none = { $name } hat mir in dieser Zeit nichts erzählt.
rollback_sure = { $name } hat mir in dieser Zeit { $count ->
        [one] { $count } Fakt
       *[other] { $count } Fakten
    } erzählt. Soll ich { $count ->
        [one] ihn
       *[other] sie
    } löschen? Du kannst das zehn Minuten lang rückgängig machen.
rolled_back = { $count ->
        [one] Der Fakt, den
       *[other] Die { $count } Fakten, die
    } { $name } mir erzählt hat, { $count ->
        [one] ist
       *[other] sind
    } weg.
audit = **Admin-Protokoll** (Seite { $page })
audit_empty = Noch keine Admin-Aktionen.
command_memory = Was ich mir über die Leute hier merke
command_show = Was ich über dich oder andere weiß: Fakten, Zusammenfassungen, Quellen
command_history = Was sich an meinem Wissen über dich oder andere geändert hat und was du zurückholen kannst
command_remember = Sag mir, was ich mir über jemanden merken soll
command_forget = Sag mir, was ich über dich oder andere vergessen soll
command_forget_key = Lass mich alle Fakten einer Art vergessen
command_privacy = Was ich über dich speichere: ansehen, einschränken, exportieren oder löschen
command_help = Was ich kann und wie du es mir sagst
command_status = Wie es mir geht: Version, gespeicherte Nachrichten, KI-Kontingent
command_admin = Für alle, die diesen Server verwalten
command_teachers = Leg fest, wer mir Fakten über andere erzählen darf
command_channel = Leg fest, was ich in einem Kanal tue: nichts, nur plaudern oder plaudern und merken
command_ignore = Lass mich ein Mitglied ignorieren: keine Antworten, und ich speichere nichts Neues
command_purge_channel = Lösch alles, was ich aus einem Kanal gespeichert habe
command_purge_member = Lösch alles, was ich über jemanden gespeichert habe
command_rollback = Lösch, was mir jemand zuletzt erzählt hat
command_audit = Sieh nach, was mit den Admin-Befehlen gemacht wurde
command_base_role = Leg fest, welche Rolle als „alle“ gilt
command_log = Protokollier Admin-Aktionen in einem Kanal
option_member = Um wen geht es? Leer lassen, wenn es um dich geht
option_whom = Um wen geht es?
option_fact = Was soll ich mir merken? In einem Satz
option_which = Welcher Fakt? Such einen aus oder beschreib ihn
option_key = Welche Art, zum Beispiel Beruf oder Hobby
option_teachers = Wer? anyone (alle), self (man nur über sich selbst) oder moderators (die Moderation)
option_mode = off (nichts), talk (nur plaudern) oder remember (plaudern und merken)
option_channel = Welcher Kanal? Leer lassen für diesen hier
option_ignored = True zum Ignorieren, False, um damit aufzuhören
option_teacher = Wer hat es mir erzählt?
option_hours = Wie viele Stunden zurück?
option_base_role = Welche Rolle? Leer lassen für @everyone
option_log = Welcher Kanal? Leer lassen, um nichts mehr zu protokollieren
menu_remember = Merk dir das
menu_why = Warum?
menu_what = Was weißt du über die Person?
help =
    Fang deine Nachricht mit „{ $bot }“ an, erwähne mich oder antworte mir.
    • Damit ich mir etwas merke: **{ $bot } merk dir, dass Anna Cello spielt**
    • Um zu sehen, was ich weiß: **{ $bot } was weißt du über @Name** (oder „mich“)
    • Um etwas zu finden: **{ $bot } wer hat den Brennofen repariert?**
    • Damit ich etwas vergesse: **{ $bot } vergiss, dass …**
    • Um auf den neuesten Stand zu kommen: **{ $bot } was habe ich verpasst**
    • Um festzulegen, was ich über dich speichere: `/privacy`
status =
    Version { $version }. Gespeicherte Nachrichten dieses Servers: { $messages }; noch zu schreiben: { $pending }.
    Die Tage richten sich nach { $zone }.
    { $models }
status_model = { $model }: { $calls ->
        [one] { $calls } Aufruf
       *[other] { $calls } Aufrufe
    } heute{ $limit }, { $tokens } Token{ $blocked }
status_blocked = ; Kontingent bis { $until } aufgebraucht
presence_facts_only = Nur Fakten: Meine KI antwortet nicht
presence_facts_only_until = Nur Fakten bis { $until }
presence_nothing_new = Ich lese nichts Neues: Meine KI antwortet nicht
presence_nothing_new_until = Ich lese nichts Neues bis { $until }
status_bad_key = ; der Schlüssel wurde abgelehnt
status_unknown_model = ; dieses Modell gibt es nicht
status_minute_out = ; Kontingent für diese Minute aufgebraucht
status_day_out = ; Kontingent für heute aufgebraucht
status_unreachable = ; antwortet nicht
status_dropped = Discord-Ereignisse, die ich nicht lesen konnte: { $count }
status_whole = Dieser Kanal ist seit { $since } vollständig
status_missing = Ich lese noch, was hier seit { $since } geschrieben wurde
status_skew = Die Uhr meines Rechners geht um { $seconds } Sekunden falsch. Wer mich betreibt, sollte sie stellen
status_catching_up = Ich hole nach, was ich verpasst habe: { $read } von { $count } Kanälen
status_parked = Fehlgeschlagene Aufgaben, die auf die Person warten, die mich betreibt: { $count } (siehe „urmom-bot parked“)
status_failing = Hintergrundaufgaben, die immer wieder scheitern: { $names }
status_no_ai = Keine KI eingerichtet: Ich kann mir nur Fakten merken und sie abrufen.
found_anyway =
    Das hier habe ich aber gefunden:
    { $lines }
recall_found =
    Das habe ich gefunden:
    { $lines }
recall_nothing = Dazu habe ich hier nichts gefunden.
missed = Seit deiner letzten Nachricht ({ $since }) war etwas los in { $channels }.
missed_nothing = Seit deiner letzten Nachricht ({ $since }) war hier nichts los.
command_recall = Finde, was hier gesagt wurde
option_question = Wonach suchst du?
why_found = Per Suche gefunden: { $links }
reset_done = 📌 Okay, fangen wir von vorn an. Was wir beschlossen haben, behalte ich.
subject_closed = 📌 Okay, neues Thema. Deinen Teil des Gesprächs habe ich abgeschlossen. Die anderen können mit ihrem weitermachen.
reset_nothing = Wir haben hier kein Gespräch, das wir von vorn anfangen könnten.
busy = Moment, ich antworte hier noch anderen. Frag mich bitte noch mal, wenn ich fertig bin.
direct_session = Dieses Gespräch behalte ich höchstens eine Stunde und danach nichts davon.
answered_before = Das hast du schon mal gefragt. Meine Antwort war:
gathered = Das habe ich aus deinen Worten herausgehört. Stimmt das? { $fact }
changed = Am { $date } habe ich über dich notiert: „{ $note }“. Stimmt das noch? { $fact }
status_session = { $channel }: { $turns ->
        [one] { $turns } Beitrag
       *[other] { $turns } Beiträge
    }, { $tokens } Token im letzten Prompt ({ $parts }){ $over }
status_over = – über dem Prompt-Limit: { $parts }
command_reset = Lass uns noch mal von vorn anfangen
table_sessions = Gespräche
table_turns = Gesprächsbeiträge
table_segments = Gesprächsteile
table_conclusions = Ergebnisse
table_topics = Themen
table_answers = gespeicherte Antworten
topics_heading = { $count ->
        [one] { $count } Thema
       *[other] { $count } Themen
    }
topics_none = Es gibt noch keine Themen. Sie entstehen aus dem, was ihr in Gesprächen mit mir beschließt.
topic_line = **{ $name }** ({ $count ->
        [one] { $count } Zeile
       *[other] { $count } Zeilen
    }), { $when }
topic_replaced = (ersetzt am { $when })
topic_since = (zuerst gesagt am { $when })
topic_heading = **{ $name }**: { $count ->
        [one] { $count } Zeile
       *[other] { $count } Zeilen
    }
topic_none = Ein Thema mit diesem Namen kenne ich hier nicht.
topic_denied = Nur die Moderation kann Themen bearbeiten. Deine eigenen Zeilen kannst du löschen.
topic_renamed = { $name } heißt jetzt { $new }.
topic_name_taken = { $new } geht als Name nicht: Er ist schon vergeben oder nicht erlaubt.
topic_merged = Die Zeilen von { $name } stehen jetzt in { $into }.
topic_merge_not = Die beiden lassen sich nicht zusammenlegen: Sie sind für unterschiedliche Leute lesbar.
topic_dropped = Die Seite { $name } ist weg. Ihre Zeilen findest du weiterhin, wenn du mich danach fragst.
button_drop_line = Zeile { $number } löschen
command_topics = Zeig die Themen dieses Servers
command_topic = Themen: Entscheidungen und Ergebnisse
command_topic_show = Zeig die Seite eines Themas
command_topic_rename = Gib einem Thema einen anderen Namen
command_topic_merge = Verschieb die Zeilen eines Themas in ein anderes
command_topic_drop = Lösch die Seite eines Themas und behalte seine Zeilen
option_topic = Welches Thema?
option_new_name = Wie soll es heißen?
option_into = In welches Thema sollen die Zeilen?
status_prompts_over = Prompts über dem Limit seit meinem Start: { $parts }
share_used = Deinen Anteil an meinem KI-Kontingent hast du vorerst aufgebraucht. Frag mich { $until } wieder. Fakten klappen weiterhin: „merk dir“, „vergiss“ und „was weißt du über …“.
not_full = Du hast mir schon so viele Fakten über andere erzählt, wie ich von einer Person behalte. Lass mich einen davon vergessen und erzähl mir das dann noch mal.
not_link = Einladungslinks behalte ich nicht.
not_unclear = Ich bin nicht sicher, ob das ein Fakt über { $name } ist. Sag es mir lieber in einer Nachricht: erst mein Name, dann „merk dir, dass …“.
confirm_unread = Ich verstehe diese Sprache nicht gut genug, um zu erkennen, ob das privat ist. Lass es mich nur behalten, wenn es nicht um Gesundheit, Glauben, Liebe, Geld oder Rechtliches geht.
button_keep_other = Behalten, es ist nicht privat
busy_member = Eins nach dem anderen: Ich bin noch bei deinen vorigen Nachrichten.
matter_affairs = Liebe und Beziehungen
matter_origin = Herkunft
matter_violence = Gewalt
matter_family = Familienprobleme
matter_address = den Wohnort
matter_unlawful = etwas Peinliches oder Verbotenes
welcome = Gern geschehen!
stays_saved = Okay. Was du mir gerade gesagt hast, behalte ich.
stays_deleted = Es ist schon gelöscht. Der Knopf holt es zurück.
dropped_it = Okay.
forgot_last = 📌 Erledigt, ich habe vergessen, was du hier gesagt hast: „{ $text }“. Die Nachricht selbst bleibt im Kanal, bis du sie löschst.
untrue_nothing = Ich weiß nicht, was du meinst. Schreib dazu, worum es geht, zum Beispiel: „vergiss, dass ich in Leeds wohne“.
nothing_deleted = Okay. Ich habe nichts gelöscht.
message_gone = Meine Kopie dieser Nachricht ist endgültig gelöscht. Ich kann sie nicht zurückholen.
forget_last_nothing = Aus den letzten zehn Minuten habe ich hier nichts von dir.
say_the_wish = Ich bin nicht sicher, was ich mir merken oder löschen soll. Schreib es so: „{ $bot } merk dir, dass …“ oder „{ $bot } vergiss, dass …“.
hello_no_ai = Hi! Plaudern kann ich hier nicht, aber ich merke mir Dinge. Probier mal „{ $bot } merk dir, dass …“ oder „{ $bot } was weißt du über mich“.
undo_nothing = Mehr kann ich hier nicht rückgängig machen: nur das Letzte, was ich für dich getan habe, und nur zehn Minuten lang.
redo_nothing = Hier kann ich nichts zurückholen: nur, was du zuletzt gelöscht oder rückgängig gemacht hast, und nur zehn Minuten lang.
undo_which = Von deiner letzten Nachricht habe ich nichts gespeichert. Davor hast du mir das hier gesagt. Wenn du das meinst, sag noch einmal „rückgängig“: „{ $text }“
which_message = Welche Nachricht meinst du? Ich finde keine von oder über { $name }, in der etwas zum Merken steht. Antworte auf die richtige mit „merk dir das“.
know_today = Heute:
know_before = Davor:
know_earlier = Früher:
know_perhaps_changed = Vielleicht geändert:
know_said_today = Heute gesagt:
button_details = Wer hat das erzählt?
button_details_of = Wer hat das über { $name } erzählt?
button_help_more = Was kannst du noch?
help_more =
    • **{ $bot } merk dir für den Server: das Treffen ist am Freitag**
    • **{ $bot } merk dir das über @Name**, als Antwort auf eine Nachricht
    • **{ $bot } mach das rückgängig**, **{ $bot } nein, ich meinte @Name**, **{ $bot } vergiss #12**
    • In einem Thread, in dem ich dir geantwortet habe, kannst du meinen Namen weglassen.
    • Reagier mit { $emoji } für einen Deine-Mutter-Witz. Mit **{ $bot } keine Witze über mich** ist Schluss damit.
    • **{ $bot } Zeitzone Europe/Berlin** legt fest, wann auf diesem Server die Tage beginnen (Server verwalten).
    • Befehle: /memory show, history, remember, forget, forget-key; /recall; /topics; /reset; /privacy; /status. Im Menü von Nachrichten und Mitgliedern: Apps.
    • /settings und /memory-admin, wenn du diesen Server verwaltest
    Nachrichten aus Kanälen, die ich lesen kann, behalte ich { $retention } Tage lang und mache daraus Notizen und Fakten. `/privacy` zeigt, exportiert und löscht, was dich betrifft.
introduction = Wir kennen uns noch nicht: Ich merke mir, was die Leute hier sagen. Mit `/privacy` siehst du, was ich über dich speichere, und kannst das ändern.
budget_used = Dieser Server hat sein KI-Budget für heute aufgebraucht, deshalb kann ich bis { $until } nicht plaudern. Fakten klappen weiterhin: „merk dir“, „vergiss“ und „was weißt du über …“.
button_settings = Einrichten
button_memory_on = Gedächtnis einschalten
button_memory_off = Gedächtnis ausschalten
button_bare_names_on = Auch ohne Komma auf meinen Namen hören
button_bare_names_off = Nur mit Komma auf meinen Namen hören
button_captions_on = Bilder beschreiben
button_captions_off = Bilder nicht beschreiben
button_read_ahead_on = Auch ungefragt lesen
button_read_ahead_off = Nicht ungefragt lesen
button_settings_character = Wie ich klinge …
button_jokes_on = Witze einschalten
button_jokes_off = Witze ausschalten
button_settings_general = Sprache, Namen, Zeitzone …
button_settings_channel = Ein Kanal …
button_settings_budget = KI-Budget …
settings_title = **Einrichten** – nur wer diesen Server verwaltet, kann das hier ändern
settings_on = an
settings_off = aus
settings_memory = • Gedächtnis: **{ $state }**
settings_facts = • Fakten: **{ $facts }**, davon **{ $faded }** verblassend (nur auf Nachfrage genutzt) und **{ $stale }** nicht mehr genutzt, bis sie jemand bestätigt
settings_retention = • Nachrichten behalte ich **{ $days ->
    [one] { $days } Tag
   *[other] { $days } Tage
    }** lang
settings_language = • Sprache: **{ $language }**
settings_zone = • Zeitzone: **{ $zone }**
settings_names = • Ich höre auf **{ $names }** und auf meinen Nicknamen hier
settings_bare_names = • Mich ohne Komma ansprechen, wie in „Bot hallo“: **{ $state }**
settings_captions = • Bilder und Sprachnachrichten in Worte fassen, damit ich sie finde: **{ $state }**
settings_read_ahead = • Tage lesen, nach denen niemand gefragt hat, damit ich mich erinnere: **{ $state }**
settings_character = • Wie ich klinge: **{ $character }**
settings_character_wrong = Das geht nicht als Charakter: höchstens { $most } Zeichen, ohne Passwörter, Links und Privates über Leute.
settings_teachers = • Wer mir etwas über andere erzählen darf: **{ $who }**
settings_jokes = • Witze: **{ $state }**
settings_budget = • KI-Anfragen heute: **{ $used }**, hier ist kein Limit festgelegt
settings_budget_of = • KI-Anfragen heute: **{ $used }** von { $most }
settings_mode_off = • Ich bin abgeschaltet in { $channels }
settings_mode_talk = • Ich plaudere, merke mir aber nur etwas, wenn man mich darum bittet, in { $channels }
settings_no_captions = • Ich beschreibe keine Bilder in { $channels }
settings_cannot_read = • Nicht lesen kann ich { $channels }
settings_cannot_write = • Mir fehlen Berechtigungen in { $channels }
settings_all_channels = • Ich kann in jedem Kanal, den ich sehe, lesen und schreiben
settings_more = und { $count } mehr
settings_saved = Einstellungen geändert
settings_names_wrong = Bitte gib höchstens { $most } Namen mit 2 bis 32 Zeichen an, durch Kommas getrennt. Ich habe nichts geändert.
settings_retention_wrong = Nachrichten kann ich { $least } bis { $most } Tage lang behalten. Ich habe nichts geändert.
settings_budget_wrong = Bitte gib eine ganze Zahl an oder lass das Feld leer, wenn es kein Limit geben soll. Ich habe nichts geändert.
form_general = Sprache, Namen, Zeitzone
form_character = Wie ich hier klinge
form_channel = Was ich in einem Kanal tue
form_budget = KI-Budget
field_language = Sprache, wenn ich sie nicht erkenne
field_zone = Zeitzone
field_names = Weitere Namen für mich, mit Komma getrennt
field_character = Charakter
field_character_own = In eigenen Worten (falls gewählt)
field_teachers = Wer mir etwas über andere erzählen darf
field_retention = Wie viele Tage Nachrichten bleiben (1–{ $most })
field_channel = Kanal
field_mode = Was ich dort tue
field_captions = Bilder und Sprachnachrichten dort
field_budget = KI-Anfragen pro Tag (leer: kein Limit)
language_any = die, in der man mir schreibt
character_usual = freundlich, kurz, ein bisschen frech
character_warm = warm und geduldig
character_dry = trocken und lakonisch
character_lively = lebhaft und verspielt
character_own = in eigenen Worten
who_anyone = alle
who_self = niemand (man kann mir nur etwas über sich selbst erzählen)
who_moderators = die Moderation
what_off = nichts
what_talk = nur plaudern
what_remember = plaudern und merken
captions_yes = in Worte fassen
captions_no = in Ruhe lassen
action_settings = änderte die Einstellungen
command_settings = Leg fest, was ich auf diesem Server tue
say_again = Rückgängig gemacht. Sag es bitte noch mal mit dem richtigen Namen.
which_of_two = Ich habe nichts geändert: Meinst du, was du mir erzählt hast, oder was gerade jemand anders über dich erzählt hat? Sag mir bitte den ganzen Satz.
which_corrected = Ich habe nichts geändert: Was du mir zuletzt gesagt hast, handelt von niemandem. Sag es bitte noch mal richtig.
missed_today = In den letzten 24 Stunden war etwas los in { $channels }.
missed_nothing_today = In den letzten 24 Stunden war hier nichts los.
opted_out_yourself = Du hast mich gebeten, mir nichts über dich zu merken, also tue ich das auch nicht. Mit /privacy kannst du das ändern.
policy_contact = die Person, die mich betreibt
policy_grace = { $days ->
    [0] auf Wunsch
    [one] nach { $days } Tag
   *[other] nach { $days } Tagen
    }
quoted = „{ $text }“
settings_memory_off = • Gedächtnis: **aus** – ich merke mir nur etwas, wenn man mich darum bittet
button_tour = Ausprobieren
button_try_remember = Merk dir etwas über mich
button_try_know = Was weißt du über mich?
form_try = Erzähl mir etwas über dich
field_try = Zum Beispiel: Ich spiele Tuba
only_on_servers = Fakten gehören zu einem Server. Drück diesen Button bitte dort.
tour =
    Drei Dinge zum Ausprobieren:
    1. Erzähl mir etwas über dich. Ich zeige dir den Satz, den ich behalte, und dazu den Button *Rückgängig*.
    2. Sieh dir an, was ich über dich weiß: jeden Fakt, wer ihn mir erzählt hat und wann.
    3. Entscheide, was ich behalten darf, oder lösch alles.
    In einem Kanal kannst du das auch einfach schreiben: **{ $bot } merk dir, dass ich Tuba spiele**

# The page in a browser

command_page = Deine Seite im Browser: alles, was ich über dich weiß, woher es kommt und wie du es änderst
button_page = Meine Seite öffnen
page_link =
    { $link }
    -# Der Link funktioniert einmal, zehn Minuten lang und nur für dich. Gib ihn nicht weiter.
page_link_words = Deine Seite öffnen
page_local = -# Er führt zu dem Computer, auf dem ich laufe. Wer mich betreibt, kann die Seiten mit PAGE_URL für alle öffnen.
page_off = Die Seiten sind abgeschaltet. Wer mich betreibt, kann sie mit PAGE_PORT einschalten.
page_ask_there = Jeder Server hat seine eigene Seite. Nutze /memory page auf einem Server.
page_takes_long = Das dauert länger als sonst. Ich mache es trotzdem; lade die Seite gleich neu.
page_a_channel = ein Kanal
page_a_role = eine Rolle
page_message = Nachricht
page_today = heute
page_before = vor { $day }
page_operator = Betreiber
page_server_unnamed = dein Server
page_skip = Zum Inhalt springen
page_pages = Seiten
page_sections = Auf dieser Seite
page_menu_me = Ich
page_menu_people = Leute
page_menu_topics = Themen
page_menu_search = Suche
page_menu_privacy = Datenschutz
page_menu_server = Server
page_sign_out = Abmelden
page_times = Zeiten in der Zeitzone dieses Servers: { $zone }.
page_what_you_see = Du siehst, was du auch in Discord lesen könntest.
page_what_is_kept = Was ich speichere und wie du es abstellst
page_previous = Zurück
page_next = Weiter
page_number = Seite { $page } von { $pages }
page_as_table = Als Tabelle
page_day = Tag
page_save = Speichern
page_cancel = Abbrechen
page_show = Anzeigen
page_home = Zu meiner Seite
page_facts = Fakten
page_days = Tag für Tag
page_answers = Meine Antworten an dich
page_changes = Änderungen
page_models = An KI gesendet
page_settings = Einstellungen
page_audit = Protokoll
page_roll_back = Zurücknehmen
page_on_discord = { $name } auf Discord
page_portrait = Mit diesem Text beginnen Antworten über dieses Mitglied. Ich habe ihn { $day } geschrieben.
page_facts_hint = Ich nutze einen Fakt nur in Antworten an Leute, die ihn dort lesen konnten, wo er gesagt wurde. Öffne ihn, um seine Quellen zu sehen, ihn zu korrigieren oder zu löschen.
page_facts_of_hint = Nur Fakten aus Kanälen, die du lesen kannst. Öffne einen, um seine Quellen zu sehen.
page_no_facts = Ich weiß noch nichts über dich.
page_no_facts_hint = Sag mir in Discord etwas: „Bot merk dir, dass ich Schach spiele“.
page_no_facts_of_hint = Niemand hat mir etwas gesagt, das du lesen darfst.
page_group_check = Bitte prüfen
page_group_check_hint = Das habe ich selbst aufgeschnappt, oder es hat lange niemand bestätigt.
page_group_by_subject = Du hast mir gesagt
page_group_by_subject_of = { $name } hat mir gesagt
page_group_by_subject_hint = Das eigene Wort zählt am meisten.
page_group_by_others = Andere haben mir gesagt
page_group_by_others_of = Andere haben mir gesagt
page_group_by_others_hint = Wenn davon etwas falsch ist, kannst du es berichtigen oder löschen.
page_group_inferred = Aufgeschnappt
page_group_inferred_hint = Aus Gesprächen, nicht aus einer Bitte, es zu merken.
page_only_you = siehst nur du
page_everyone_may = Alle auf diesem Server dürfen ihn sehen.
page_some_may = Nur wer lesen kann, wo er gesagt wurde, darf ihn sehen.
page_fading = verblasst
page_stale = nicht mehr genutzt
page_holds = gilt
page_no_longer = gilt nicht mehr
page_times_told = { $count ->
    [one] einmal gesagt
   *[other] { $count }-mal gesagt
}
page_used = { $count }× genutzt
page_used_long = Ich habe ihn zuletzt in { $count ->
    [one] einer Antwort
   *[other] { $count } Antworten
} genutzt.
page_who_told = Wer es mir gesagt hat
page_days_hint = Was ich aus Gesprächen über dich notiert habe. Wenn du mich einen Tag vergessen lässt, lösche ich auch meine Kopien deiner Nachrichten von diesem Tag.
page_days_of_hint = Was ich über { $name } aus Gesprächen notiert habe, die du lesen kannst.
page_no_days = Noch nichts notiert.
page_no_days_hint = Ich lese die Nachrichten eines Tages, wenn jemand danach fragt, oder später, wenn KI-Kontingent übrig ist.
page_messages_week = Nachrichten der letzten 7 Tage
page_messages = Nachrichten
page_changes_hint = Wer was geändert hat, ein Jahr lang.
page_no_changes = Noch keine Änderungen.
page_no_changes_hint = Wenn mir jemand einen Fakt sagt, ihn berichtigt oder löscht, steht es hier.
page_when = Wann
page_who = Wer
page_what = Was
page_whom = Über wen
page_me_the_bot = ich
page_undone = rückgängig gemacht
page_restorable = Gilt nicht mehr
page_restorable_hint = Fakten, die durch neuere ersetzt wurden. Du kannst sie wiederherstellen.
page_answers_hint = Meine letzten Antworten an dich, aus den letzten 7 Tagen. Sieh nach, worauf jede beruht.
page_no_answers = Keine Antworten in den letzten 7 Tagen.
page_no_answers_hint = Frag mich etwas in Discord. Dann kannst du hier nachsehen, warum ich das gesagt habe.
page_a_message = eine Frage, deren Text ich nicht behalte
page_words_gone = Die Worte dieser Antwort bewahre ich nicht auf. Du kannst sie in Discord lesen.
page_why = Warum habe ich das gesagt?
page_why_hint = Was ich wusste und fand, als ich die Antwort schrieb, soweit du es sehen darfst.
page_why_unknown = Das weiß ich nicht mehr.
page_why_unknown_hint = Ich bewahre das nur einige Tage auf, und nie für Antworten, die andere nicht nachverfolgen dürfen.
page_why_no_facts = Keine Fakten.
page_why_gone = { $count ->
    [one] Ein Fakt ist seitdem weg oder nicht für dich.
   *[other] { $count } Fakten sind seitdem weg oder nicht für dich.
}
page_why_kept_back = { $count ->
    [one] Einen Fakt über dich habe ich zurückgehalten: Nicht alle dort dürfen ihn lesen.
   *[other] { $count } Fakten über dich habe ich zurückgehalten: Nicht alle dort dürfen sie lesen.
}
page_why_found = Nachrichten, die ich fand
page_why_nothing = Nichts aus dem Gedächtnis.
page_why_nothing_hint = Die Antwort nutzte keine Fakten und keine Suche.
page_about = Über { $name }
page_models_hint = Was ich in den letzten 7 Tagen von dir und über dich an KI-Modelle gesendet habe, und wofür: deine Nachrichten, deine Fragen und was ich über dich weiß. Auch deine Direktnachrichten an mich gehen an ein Modell, zählen hier aber nicht mit.
page_no_models = In den letzten 7 Tagen habe ich nichts von dir oder über dich an ein KI-Modell gesendet.
page_no_models_hint = Sobald etwas gesendet wird, siehst du hier, was es war.
page_model = Modell
page_calls = Aufrufe
page_my_messages = Deine Nachrichten
page_sent = Deine Worte, die gesendet wurden
page_sent_hint = Deine Nachrichten, die ich in den letzten 7 Tagen an ein Modell gesendet habe. Passwörter und Zugangsschlüssel darin habe ich weggelassen.
page_people_hint = Mitglieder, über die du Fakten sehen kannst.
page_no_people = Noch niemand.
page_no_people_hint = Wenn mir jemand einen Fakt sagt, den du lesen darfst, steht hier, um wen es geht.
page_facts_count = { $count ->
    [one] ein Fakt
   *[other] { $count } Fakten
}
page_replaced = ersetzt:
page_first_said = zuerst gesagt:
page_lines_count = { $count ->
    [one] eine Zeile
   *[other] { $count } Zeilen
}
page_topics_hint = Was Gespräche mit mir entschieden oder herausgefunden haben.
page_no_topics = Noch keine Themen.
page_no_topics_hint = Wenn ein Gespräch mit mir ein Ergebnis hat, bewahre ich es hier auf.
page_search_label = In allem suchen, was du lesen kannst
page_search_results = Ergebnisse
page_export_text = Herunterladen (Text)
page_export_json = Herunterladen (JSON)
page_sessions = Angemeldet
page_sessions_hint = Dieser Browser bleibt bis { $until } angemeldet, oder bis du dich abmeldest.
page_sign_out_everywhere = Überall abmelden
page_numbers = Das Gedächtnis in Zahlen
page_numbers_hint = Nur Zahlen: Hier steht nicht, was jemand gesagt hat.
page_number_facts = Fakten
page_number_members = Mitglieder, um die es geht
page_number_notes = Notizen
page_number_messages = Nachrichten
page_number_topics = Themen
page_number_facts_only = Mitglieder mit „nur Fakten“
page_number_nothing = Mitglieder mit „nichts“
page_number_ignored = Ignorierte Mitglieder
page_month = Die letzten 30 Tage
page_messages_day = Nachrichten pro Tag
page_calls_day = KI-Aufrufe pro Tag (Grenze: { $most })
page_no_plots = Noch ist nichts passiert.
page_audit_hint = Was Verwalter und Moderatoren getan haben, auch auf Seiten wie dieser.
page_no_audit = Noch nichts.
page_roll_back_hint = Lösche, was mir jemand in den letzten 7 Tagen über andere gesagt hat. Du siehst es, bevor etwas gelöscht wird.
page_no_teachers = Niemand hat mir in den letzten 7 Tagen etwas über andere gesagt.
page_no_teachers_hint = Es gibt also nichts zurückzunehmen.
page_teacher = Gesagt von
page_alone_offer = Deine Seite öffnen?
page_offer_who = Du hast diesen Link als { $name } auf „{ $server }“ angefordert.
page_offer_open = Meine Seite öffnen
page_offer_hint = Der Link funktioniert einmal, bis { $until }. Du bleibst in diesem Browser bis zu 12 Stunden angemeldet. Das bist nicht du? Schließ das Fenster: Es wurde nichts geöffnet.
page_alone_expired = Dieser Link funktioniert nicht mehr
page_alone_expired_hint = Ein Link funktioniert einmal, zehn Minuten lang. Hol dir in Discord einen neuen mit /memory page.
page_alone_signed_out = Du bist abgemeldet
page_alone_signed_out_hint = Um deine Seite zu öffnen, nutze /memory page auf deinem Discord-Server.
page_alone_over = Bitte melde dich an
page_alone_over_hint = Deine Sitzung ist zu Ende, oder du hast den Server verlassen. Hol dir in Discord einen neuen Link mit /memory page.
page_alone_denied = Hier ist nichts für dich
page_alone_denied_hint = Entweder gibt es diese Seite nicht, oder du darfst sie nicht sehen.
page_alone_busy = Zu viele Anfragen
page_alone_busy_hint = Warte eine Minute und versuch es dann noch einmal.
page_alone_away = Ich erreiche mein Gedächtnis oder Discord nicht
page_alone_away_hint = Nichts ist verloren. Versuch es gleich noch einmal.
page_alone_error = Etwas ist schiefgegangen
page_alone_error_hint = Sonst ist nichts betroffen. Du kannst zurückgehen und es noch einmal versuchen.
page_alone_erased = Erledigt
page_alone_erased_hint = Du bist abgemeldet.
page_health = Zustand
page_healthy = Alles funktioniert.
page_loops = Hintergrundaufgaben
page_name = Name
page_failures = Fehlschläge
page_error = Letzter Fehler
page_parked = Gescheiterte Aufgaben
page_parked_hint = Mit urmom-bot parked wiederholst oder verwirfst du sie.
page_nothing = Keine.
page_spending = KI-Nutzung
page_calls_today = Aufrufe heute
page_tokens_today = Tokens heute
page_tokens = Tokens
page_prompts = Die letzten Prompts
page_prompts_hint = Wie viele Tokens jeder Teil eines Prompts hatte. Die Worte werden nicht aufbewahrt.
page_parts = Teile
page_sizes = Tabellen
page_rows = Zeilen (geschätzt)
table_page_access = Links und Sitzungen von Seiten im Browser
page_do_confirm = Stimmt noch
page_do_correct = Berichtigen
page_do_strike = Vergessen
page_do_strike_day = Diesen Tag vergessen
page_do_strike_week = Diese Woche vergessen
page_do_strike_month = Diesen Monat vergessen
page_do_drop_line = Löschen
page_do_restore = Wiederherstellen
page_conclusions = Ergebnisse
page_conclusions_hint = Was Gespräche mit mir entschieden oder herausgefunden haben, wo es dich nennt oder auf deinen Worten beruht.
page_no_conclusions = Noch keine Ergebnisse.
page_by_kind = Nach Art
page_kind = Art
page_domain_work = Arbeit
page_domain_preferences = Vorlieben
page_domain_decisions = Entscheidungen
page_domain_personal = Persönliches
page_domain_projects = Projekte
page_channels = Kanäle
page_channels_hint = Die, die du lesen kannst.
page_channel = Kanal
page_what_i_do = Was ich tue
page_who_reads = Wer es hören darf
page_read_until = Gelesen bis
page_missing = Fehlende Rechte
page_mode_off = nichts
page_mode_talk = nur chatten
page_mode_remember = chatten und mir Dinge merken
page_everyone = alle
page_some = wer ihn lesen kann
page_ai_uses = Wofür die KI genutzt wird
page_what_for = Zweck
page_use_reply = Antworten
page_use_memory = Notizen und kurze Texte über Mitglieder
page_use_digest = Ergebnisse von Gesprächen
page_use_media = Bilder und Sprachnachrichten
page_use_ahead = Tage, nach denen niemand gefragt hat
button_settings_posts = Rückblick, Geburtstage …
button_recap_preview = Vorschau des Rückblicks
settings_recap = • Jeden Montag ein Rückblick: **{ $state }**
settings_birthdays = • Geburtstagswünsche: **{ $state }**
settings_posts_in = • Solche Beiträge erscheinen in { $channel }
form_posts = Was ich von selbst poste
field_post_channel = Wo ich poste
field_recap = Jeden Montag ein Rückblick
field_birthdays = Geburtstagswünsche
recap = **{ $since } bis { $until }: unsere Woche**
recap_decided = **Entschieden**
recap_happened = **Was passiert ist**
recap_helped = **Wer geholfen hat**
recap_quotes = **Zitate der Woche**
recap_end = -# Aus öffentlichen Kanälen. Wer nicht vorkommen möchte: `/privacy`.
recap_previewed = -# Das siehst nur du. So würde ich den Rückblick auf die letzten sieben Tage jetzt schreiben.
recap_without_ai = -# Das siehst nur du. Meine KI war nicht erreichbar, darum hier meine Notizen, so, wie sie sind.
recap_empty = In den letzten sieben Tagen habe ich nichts notiert, was in einen Rückblick gehört.
birthday_wish = 🎂 Alles Gute zum Geburtstag, { $names }!
table_posts = was ich von selbst gepostet habe
table_model_calls = Einträge darüber, wie viel an KI-Modelle ging
page_talks = Laufende Gespräche
page_talks_hint = Ein Gespräch endet, wenn mir { $minutes } Minuten lang niemand schreibt. Was dabei herauskam, steht dann unten.
page_talk = { $count ->
    [one] { $count } Nachricht
   *[other] { $count } Nachrichten
    }
page_offline = Ich bin gerade nicht erreichbar. Bis ich wieder da bin, bewirkt kein Klick etwas.
page_again = Noch einmal versuchen
page_sign_in = Mit Discord anmelden
page_alone_choose = Wähle einen Server
page_alone_choose_hint = Von diesen Servern kenne ich dich. Wähle einen und sieh, was ich dort über dich weiß.
page_alone_not_signed_in = Du bist nicht angemeldet
page_alone_not_signed_in_hint = Discord hat nicht gesagt, wer du bist. Versuch es noch einmal, oder hol dir in Discord mit /memory page einen Link.
page_alone_unknown = Ich weiß nichts über dich
page_alone_unknown_hint = Auf keinem meiner Server gibt es etwas über dich. Öffnen kannst du deine Seite trotzdem mit /memory page auf deinem Discord-Server.
missed_to_you = **An dich**
missed_yours = **Über dich**
missed_news = **Außerdem**
missed_more = { $count ->
    [one] Eine weitere Sache habe
   *[other] { $count } weitere Dinge habe
    } ich notiert. Frag einfach, wenn du mehr wissen willst.
page_used_for = Verwendet für
page_confidence_high = Verlässlichkeit: hoch.
page_confidence_medium = Verlässlichkeit: mittel.
page_confidence_low = Verlässlichkeit: gering.
page_week = Woche ab { $since }
page_tokens_day = KI-Tokens pro Tag, danach wird abgerechnet
page_no_facts_of = Ich weiß nichts über { $name }, was du sehen darfst.
correct_sensitive = Das ist heikel. So etwas behalte ich nur für dich allein, und nur, wenn du zustimmst. Schreib mir im Chat: „Bot merk dir, dass …“. Dann frage ich dich, ob ich es behalten soll.
consent_explicit_do = Nur Fakten behalten
consent_off_do = Nichts behalten
page_calls_day_free = KI-Aufrufe pro Tag (ohne Limit)
page_processes = Prozesse
page_processes_hint = Alle, die sich diese Datenbank teilen. Alles andere auf dieser Seite, bei dem kein Prozess genannt ist, gehört zu Prozess { $process }.
page_started = Gestartet
page_alive = Letztes Lebenszeichen
page_shards = Shards
page_waiting = Wartend
page_number_faded = Davon verblassend (nur auf Nachfrage genutzt)
page_number_stale = Davon nicht mehr genutzt, bis sie jemand bestätigt
