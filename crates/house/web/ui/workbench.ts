// The pages of the workbench. Who listens first hears first: the order of these is that in which listeners of one event are asked.
import "./messages";
import "./panes";
import "./page";
import "./events";
import "./board";
import "./motion";
import "./doors";
import "./go_game";
import "./othello_game";
import "./go_card";
import "./lesson";
import "./go_line";
import "./go_why";
import "./go_table";
import "./othello_table";
import "./editors";
import "./stays";
