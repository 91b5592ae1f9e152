//! The program as its users meet it: every command and page, started and asked. One executable, so that it is linked once and
//! its tests run beside each other.

#[macro_use]
mod support;

mod analysis;
mod attacks;
mod campaigns;
mod chaos;
mod commands;
mod deck_build;
mod deck_learn;
mod deck_models;
mod deck_search;
mod deck_serve;
mod go;
mod go_exercises;
mod go_explain;
mod go_joseki;
mod go_label;
mod go_network;
mod go_patterns;
mod go_problems;
mod go_shapes;
mod go_show;
mod gtp;
mod gtp_check;
mod guide;
mod lab;
mod layering;
mod matches;
mod mcp;
mod othello_coach;
mod othello_doors;
mod othello_evolution;
mod othello_league;
mod othello_learning;
mod othello_match;
mod othello_records;
mod othello_solve;
mod packaging;
mod strings_boards;
mod strings_certificate;
mod strings_frontier;
mod strings_models;
mod strings_positions;
mod strings_sequences;
mod strings_solve;
mod texts;
mod third_party;
mod tuning;
mod web_editors;
mod web_laboratory;
mod web_othello;
mod web_practice;
mod web_solvers;
mod workbench;
