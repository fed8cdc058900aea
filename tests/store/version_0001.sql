BEGIN TRANSACTION;
CREATE TABLE facedown_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT facedown_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "facedown_version" VALUES('0001');
CREATE TABLE games (
	id INTEGER NOT NULL, 
	run_id INTEGER, 
	deal INTEGER, 
	seating INTEGER, 
	game TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	seed TEXT NOT NULL, 
	actions INTEGER NOT NULL, 
	forfeit INTEGER, 
	finished DATETIME NOT NULL, 
	seconds FLOAT, 
	record TEXT NOT NULL, 
	CONSTRAINT pk_games PRIMARY KEY (id), 
	CONSTRAINT fk_games_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE, 
	CONSTRAINT uq_games_run_id_deal_seating UNIQUE (run_id, deal, seating), 
	CONSTRAINT ck_games_ck_games_place CHECK ((run_id IS NULL AND deal IS NULL AND seating IS NULL) OR (run_id IS NOT NULL AND deal IS NOT NULL AND seating IS NOT NULL))
);
INSERT INTO "games" VALUES(1,1,0,0,'cheat:ranks=5,hand_size=3',1,'7134169672163128115',4,NULL,'2026-11-17 17:50:07.372432',2.59885744860000613689e+01,'{"format":2,"game":"cheat:ranks=5,hand_size=3","version":1,"seed":7134169672163128115,"agents":["sdmcts:iterations=20","random"],"history":[[0,12],[1,5],[0,13],[1,12]],"actions":["down false 1","up false 2","down false 2","down false 1"],"scores":[1,0],"lower_is_better":false,"agent_seeds":[5924691326389898145,7110890420732389805],"seen":[[12,26],[31,5],[13,27],[22,12]],"decisions":null,"forfeit":null,"facedown":"0.1.0"}');
INSERT INTO "games" VALUES(2,1,0,1,'cheat:ranks=5,hand_size=3',1,'7134169672163128115',4,NULL,'2026-11-17 17:50:07.382278',7.08294099990780523512e-03,'{"format":2,"game":"cheat:ranks=5,hand_size=3","version":1,"seed":7134169672163128115,"agents":["random","sdmcts:iterations=20"],"history":[[0,13],[1,16],[0,4],[1,0]],"actions":["down false 2","take","up false 1","up true 1"],"scores":[1,0],"lower_is_better":false,"agent_seeds":[694159515723054896,7094193131648596144],"seen":[[13,27],null,[4,30],[34,0]],"decisions":null,"forfeit":null,"facedown":"0.1.0"}');
INSERT INTO "games" VALUES(3,NULL,NULL,NULL,'hearts:passing=left',1,'7',64,NULL,'2026-11-17 17:50:19.203407',NULL,'{"format":2,"game":"hearts:passing=left","version":1,"seed":7,"agents":["random","random","random","pimc:iterations=20,worlds=2"],"history":[[0,46],[0,31],[0,37],[1,0],[1,38],[1,50],[2,10],[2,29],[2,7],[3,22],[3,40],[3,2],[2,0],[3,10],[0,9],[1,8],[3,5],[0,2],[1,4],[2,11],[2,15],[3,20],[0,17],[1,19],[3,6],[0,44],[1,1],[2,3],[3,7],[0,45],[1,12],[2,16],[1,33],[2,26],[3,29],[0,34],[0,13],[1,25],[2,14],[3,18],[1,31],[2,38],[3,27],[0,28],[2,23],[3,24],[0,22],[1,21],[3,48],[0,51],[1,49],[2,42],[0,40],[1,46],[2,47],[3,39],[2,41],[3,43],[0,32],[1,35],[3,30],[0,36],[1,37],[2,50]],"actions":["9H","7S","KS","2C","AS","KH","QC","5S","9C","JD","3H","4C","2C","QC","JC","TC","7C","4C","6C","KC","4D","9D","6D","8D","8C","7H","3C","5C","9C","8H","AC","5D","9S","2S","5S","TS","2D","AD","3D","7D","7S","AS","3S","4S","QD","KD","JD","TD","JH","AH","QH","5H","3H","9H","TH","2H","4H","6H","8S","JS","6S","QS","KS","KH"],"scores":[4,15,4,3],"lower_is_better":true,"agent_seeds":[9663223448503189975,9274540025912486797,6196857222155964307,3993687193383091017],"seen":[[46,52,52,52],[31,52,52,52],[37,52,52,52],[52,0,52,52],[52,38,52,52],[52,50,52,52],[52,52,10,52],[52,52,29,52],[52,52,7,52],[52,52,52,22],[52,52,52,40],[52,52,52,2],null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null],"decisions":null,"forfeit":null,"facedown":"0.1.0"}');
INSERT INTO "games" VALUES(4,NULL,NULL,NULL,'bisca',1,'8',40,NULL,'2026-11-17 17:50:29.609633',NULL,'{"format":2,"game":"bisca","version":1,"seed":8,"agents":["random","ismcts:iterations=20"],"history":[[0,24],[1,36],[1,3],[0,41],[1,5],[0,29],[0,27],[1,16],[0,51],[1,38],[1,26],[0,4],[1,25],[0,22],[1,14],[0,10],[1,43],[0,48],[0,39],[1,9],[0,1],[1,42],[0,0],[1,12],[1,11],[0,2],[1,49],[0,40],[1,17],[0,18],[0,35],[1,28],[0,37],[1,31],[1,30],[0,13],[1,44],[0,23],[1,50],[0,15]],"actions":["KD","QS","5C","4H","7C","5S","3S","5D","AH","AS","2S","6C","AD","JD","3D","QC","6H","JH","2H","JC","3C","5H","2C","AC","KC","4C","QH","3H","6D","7D","JS","4S","KS","7S","6S","2D","7H","QD","KH","4D"],"scores":[29,91],"lower_is_better":false,"agent_seeds":[8922474745879288803,6505989555170465577],"seen":null,"decisions":null,"forfeit":null,"facedown":"0.1.0"}');
INSERT INTO "games" VALUES(5,NULL,NULL,NULL,'magic',1,'9',84,NULL,'2026-11-17 17:50:39.949856',NULL,'{"format":2,"game":"magic","version":1,"seed":9,"agents":["random","random"],"history":[[0,13],[1,13],[0,13],[1,0],[1,13],[0,13],[1,13],[0,13],[1,0],[1,13],[0,13],[1,0],[1,13],[0,13],[1,6],[1,0],[1,13],[0,0],[0,13],[1,31],[1,13],[0,13],[1,19],[1,9],[1,13],[0,0],[0,13],[1,31],[1,34],[1,9],[1,13],[0,12],[0,13],[1,19],[1,34],[1,34],[0,325],[1,13],[0,25],[1,322],[1,322],[0,10],[0,13],[1,31],[1,34],[1,34],[1,10],[1,0],[1,12],[1,12],[1,13],[0,23],[0,37],[1,319],[1,262],[1,262],[1,263],[1,325],[1,265],[0,13],[1,19],[1,34],[1,22],[1,37],[0,229],[1,4],[1,0],[1,13],[0,0],[0,13],[1,29],[1,31],[1,22],[1,22],[1,37],[1,5],[1,13],[0,13],[1,17],[1,18],[1,19],[1,34],[1,22],[1,25]],"actions":["done","done","done","land","done","done","done","done","land","done","done","land","done","done","3/2 for 3","land","done","land","done","hold 3/2","done","done","attack 3/2","2/2 for 2","done","land","done","hold 3/2","hold 2/2","2/2 for 2","done","1/1 for 1","done","attack 3/2","hold 2/2","hold 2/2","no block 1/1","done","attack 1/1","no block 2/2","no block 2/2","2/1 for 2","done","hold 3/2","hold 2/2","hold 2/2","2/1 for 2","land","1/1 for 1","1/1 for 1","done","attack 2/1","hold 1/1","no block 3/2","block 2/1 by 2/2","block 2/1 by 2/2","block 2/1 by 2/1","no block 1/1","block 2/1 by 1/1","done","attack 3/2","hold 2/2","attack 2/2","hold 1/1","block 2/2 by 1/1","4/4 for 5","land","done","land","done","hold 4/4","hold 3/2","attack 2/2","attack 2/2","hold 1/1","3/3 for 4","done","done","attack 4/4","attack 3/3","attack 3/2","hold 2/2","attack 2/2","attack 1/1"],"scores":[0,1],"lower_is_better":false,"agent_seeds":[1403946657471032792,14325138199584920809],"seen":null,"decisions":null,"forfeit":null,"facedown":"0.1.0"}');
CREATE TABLE players (
	game_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	agent TEXT NOT NULL, 
	score FLOAT NOT NULL, 
	best BOOLEAN, 
	CONSTRAINT pk_players PRIMARY KEY (game_id, seat), 
	CONSTRAINT fk_players_game_id FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "players" VALUES(1,0,'sdmcts:iterations=20',1.0,1);
INSERT INTO "players" VALUES(1,1,'random',0.0,0);
INSERT INTO "players" VALUES(2,0,'random',1.0,1);
INSERT INTO "players" VALUES(2,1,'sdmcts:iterations=20',0.0,0);
INSERT INTO "players" VALUES(3,0,'random',4.0,0);
INSERT INTO "players" VALUES(3,1,'random',15.0,0);
INSERT INTO "players" VALUES(3,2,'random',4.0,0);
INSERT INTO "players" VALUES(3,3,'pimc:iterations=20,worlds=2',3.0,1);
INSERT INTO "players" VALUES(4,0,'random',29.0,0);
INSERT INTO "players" VALUES(4,1,'ismcts:iterations=20',91.0,1);
INSERT INTO "players" VALUES(5,0,'random',0.0,0);
INSERT INTO "players" VALUES(5,1,'random',1.0,1);
CREATE TABLE runs (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	settings TEXT NOT NULL, 
	facedown TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	CONSTRAINT pk_runs PRIMARY KEY (id), 
	CONSTRAINT uq_runs_name UNIQUE (name)
);
INSERT INTO "runs" VALUES(1,'spring','{"game": "cheat:ranks=5,hand_size=3", "version": 1, "agents": ["sdmcts:iterations=20", "random"], "seed": 3, "deals": 1, "pairing": "round-robin", "seating": "all", "decisions": false, "move_seconds": 600.0, "code": "70727cdde7b282d6"}','0.1.0','2026-11-17 17:49:41.370155');
COMMIT;
