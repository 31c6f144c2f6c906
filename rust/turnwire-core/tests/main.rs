//! The core's tests as one program: a program for each file would take three times as long to build.

mod batch;
mod budget;
mod dialects;
mod fit;
mod json;
mod marks;
mod messages;
mod prefix;
mod same;
mod stage;
mod streams;
mod text;
mod window;
