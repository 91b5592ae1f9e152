//! Boards in lists and beside texts: they have the stones and the wood of the board that one plays on.

use ishi_draw::DEPTH_FILLINGS;
use ishi_go::picture::BoardPicture;
use maud::PreEscaped;

use crate::workbench::visitor::Visitor;

/// Draws the pictures of one page. What stones are filled with has names, which must stand once: the first picture brings it.
pub(crate) struct DeepPictures {
    has_fillings: bool,
    /// What a board is called for who does not see it.
    name: &'static str,
}

impl DeepPictures {
    /// For a page without another board before them.
    pub(crate) fn for_page(visitor: &Visitor) -> DeepPictures {
        DeepPictures { has_fillings: false, name: visitor.text("go-board") }
    }

    /// For what follows a board that has brought the fillings.
    pub(crate) fn after_board(visitor: &Visitor) -> DeepPictures {
        DeepPictures { has_fillings: true, ..DeepPictures::for_page(visitor) }
    }

    /// A picture for an element of the classes `board` and `deep`, which has the wood.
    pub(crate) fn draw(&mut self, picture: BoardPicture) -> PreEscaped<String> {
        let svg = picture.with_depth().with_name(self.name).to_svg();
        let svg = if self.has_fillings { svg.replace(DEPTH_FILLINGS, "") } else { svg };
        self.has_fillings = true;
        PreEscaped(svg)
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Board, BoardSize};
    use ishi_words::Language;

    use super::*;

    #[test]
    fn the_first_picture_of_a_page_brings_the_fillings() {
        let picture = BoardPicture::from_board(&Board::new(BoardSize::square(5).unwrap()));
        let visitor = Visitor::for_language(Language::Japanese);
        let mut pictures = DeepPictures::for_page(&visitor);
        let drawn = [(); 2].map(|()| pictures.draw(picture.clone()).into_string());
        assert!(drawn[0].contains(DEPTH_FILLINGS) && drawn[1].contains("class=\"stones\""));
        let later = DeepPictures::after_board(&visitor).draw(picture).into_string();
        assert!(!drawn[1].contains("<defs>") && later == drawn[1]);
        assert!(later.contains("aria-label=\"碁盤\""), "{later}");
    }
}
