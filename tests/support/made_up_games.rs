//! Records for the commands that learn from records.

use std::path::Path;

/// Games on 9x9 in which both sides always walk along the lines, from different corners.
pub(crate) fn games(folder: &Path, name: &str, number: usize) -> String {
    let mut text = String::from("#id\tsource\n");
    for game in 0..number {
        let letter = |n: usize| (b'a' + n as u8) as char;
        let moves: String = (0..40)
            .map(|n| {
                let (line, step) = (1 + (n % 2) * 3 + (n / 18) * 2, n / 2 % 9);
                let step = if game % 2 == 0 { step } else { 8 - step };
                let (column, row) = if game % 4 < 2 { (line, step) } else { (step, line) };
                format!("{}{}", letter(column), letter(row))
            })
            .collect();
        text += &format!("{game}\tmade-up\t2000\t9\t6.5\t0\t-\tB+R\t?\t?\tB\t{moves}\n");
    }
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}
